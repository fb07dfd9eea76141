/** Protocols, one file each: their fields, where their headers end, and what is deeper in them. */
@NullMarked
package io.linerate.decode.protocol;

import org.jspecify.annotations.NullMarked;
