@NullMarked
package io.linerate.bench.warmup;

import org.jspecify.annotations.NullMarked;
