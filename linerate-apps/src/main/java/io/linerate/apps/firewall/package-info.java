/**
 * The firewall: forwards packets from each port to its peer or drops them, by rules on their source
 * address and protocol.
 */
@NullMarked
package io.linerate.apps.firewall;

import org.jspecify.annotations.NullMarked;
