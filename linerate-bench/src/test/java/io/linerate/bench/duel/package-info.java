/** Shows that the comparison itself works; how fast who is, {@code ./linerate bench} says. */
@NullMarked
package io.linerate.bench.duel;

import org.jspecify.annotations.NullMarked;
