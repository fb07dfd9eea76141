/**
 * {@code linux}: the kernel's rings, received from and forwarded between by Java and by C twins,
 * and through DPDK's drivers for the same rings.
 */
@NullMarked
package io.linerate.bench.linux;

import org.jspecify.annotations.NullMarked;
