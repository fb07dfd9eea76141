/**
 * Linerate's own programs of {@code fabric}, each a fresh JVM: {@link
 * io.linerate.bench.fabric.exchange.ExchangeProgram}. They do what the C program does, in its
 * order.
 */
@NullMarked
package io.linerate.bench.fabric.exchange;

import org.jspecify.annotations.NullMarked;
