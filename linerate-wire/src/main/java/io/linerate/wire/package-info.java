/**
 * Protocols on the wire: a view for each header, the Internet checksum, the scanner that finds the
 * layers of a packet, and addresses as text.
 *
 * <p>A view is made once and laid over one packet after the other with {@code wrap(packet,
 * offset)}, which allocates nothing. Each view has one length gate, {@code fits(packet, offset)}:
 * after it said yes, no getter of the view throws. Without it, a getter that reaches outside the
 * packet throws {@link IndexOutOfBoundsException}, and nothing worse. Lengths found in a packet are
 * never believed.
 */
@NullMarked
package io.linerate.wire;

import org.jspecify.annotations.NullMarked;
