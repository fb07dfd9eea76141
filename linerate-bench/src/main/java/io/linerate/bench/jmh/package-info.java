/**
 * JMH within the suite: a class of benchmark methods is run, and its timings come back as samples.
 */
@NullMarked
package io.linerate.bench.jmh;

import org.jspecify.annotations.NullMarked;
