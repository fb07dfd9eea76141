/**
 * What a benchmark of the suite is, and what it hands in: {@link io.linerate.bench.suite.Benchmark}
 * is run with a {@link io.linerate.bench.suite.Session}, which takes its {@link
 * io.linerate.bench.suite.Result}s and {@link io.linerate.bench.suite.Chart}s.
 */
@NullMarked
package io.linerate.bench.suite;

import org.jspecify.annotations.NullMarked;
