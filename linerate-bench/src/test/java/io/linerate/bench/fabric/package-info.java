/** Tests of the benchmark of fabrics, and of its C program as a peer. */
@org.jspecify.annotations.NullMarked
package io.linerate.bench.fabric;
