/** Decoding in graphs. */
@NullMarked
package io.linerate.decode.element;

import org.jspecify.annotations.NullMarked;
