/** What tests of benchmarks share. */
@NullMarked
package io.linerate.bench.suite;

import org.jspecify.annotations.NullMarked;
