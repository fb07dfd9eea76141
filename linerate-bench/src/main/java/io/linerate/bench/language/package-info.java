/**
 * What a language costs: the thesis's section 4.1, algorithm 1, in C, in Java, and with each half
 * in another.
 */
@NullMarked
package io.linerate.bench.language;

import org.jspecify.annotations.NullMarked;
