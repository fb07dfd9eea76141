/**
 * Connections of TCP, and what is one for UDP, ICMP queries and other protocols: a bounded table of
 * them for each worker, which firewalls, translators and balancers share. Nothing is allocated for
 * a packet or a connection.
 */
@NullMarked
package io.linerate.track;

import org.jspecify.annotations.NullMarked;
