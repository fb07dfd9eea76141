/** Forwarding and nothing else, beside DPDK's own program for it. */
@NullMarked
package io.linerate.bench.forward;

import org.jspecify.annotations.NullMarked;
