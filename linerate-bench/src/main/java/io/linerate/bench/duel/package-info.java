/**
 * Java and its C twin in turn on one core: programs in processes of their own, stopped between
 * their slices of time.
 */
@NullMarked
package io.linerate.bench.duel;

import org.jspecify.annotations.NullMarked;
