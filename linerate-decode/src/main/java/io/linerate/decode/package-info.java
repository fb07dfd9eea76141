/**
 * Finds the layers of a packet and what each of them says: a decoder, the layers that it finds, the
 * fields that protocols declare, and what it takes to add a protocol. Nothing is allocated for a
 * packet, no length in a packet is believed, and no content throws.
 */
@NullMarked
package io.linerate.decode;

import org.jspecify.annotations.NullMarked;
