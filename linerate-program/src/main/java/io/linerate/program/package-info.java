/** A program of one's own in one call. */
@NullMarked
package io.linerate.program;

import org.jspecify.annotations.NullMarked;
