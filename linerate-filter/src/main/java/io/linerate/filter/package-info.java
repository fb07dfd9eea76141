/**
 * Filters in the language of pcap, such as {@code tcp port 80 and not host 10.0.0.1}: {@link
 * io.linerate.filter.PacketFilter} compiles one, and says of each packet whether it accepts it.
 */
@NullMarked
package io.linerate.filter;

import org.jspecify.annotations.NullMarked;
