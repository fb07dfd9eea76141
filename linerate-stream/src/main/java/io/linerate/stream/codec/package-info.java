/** Compression and encryption of bytes in native memory, in place and without objects. */
@NullMarked
package io.linerate.stream.codec;

import org.jspecify.annotations.NullMarked;
