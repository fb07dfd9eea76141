/** What it costs that a program publishes its numbers. */
@NullMarked
package io.linerate.bench.statistics;

import org.jspecify.annotations.NullMarked;
