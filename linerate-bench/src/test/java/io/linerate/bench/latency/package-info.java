@NullMarked
package io.linerate.bench.latency;

import org.jspecify.annotations.NullMarked;
