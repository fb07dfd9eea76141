/** Actors, tokens, and what joins them with packets. */
@NullMarked
package io.linerate.stream;

import org.jspecify.annotations.NullMarked;
