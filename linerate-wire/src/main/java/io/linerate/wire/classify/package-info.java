/** Packet classification: what holds for a packet's addresses, found in a few steps. */
@NullMarked
package io.linerate.wire.classify;

import org.jspecify.annotations.NullMarked;
