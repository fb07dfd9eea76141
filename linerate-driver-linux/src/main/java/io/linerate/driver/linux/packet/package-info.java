/**
 * {@code packet:} ports: any Ethernet interface of the kernel through AF_PACKET, received from a
 * memory-mapped ring without a copy.
 */
@NullMarked
package io.linerate.driver.linux.packet;

import org.jspecify.annotations.NullMarked;
