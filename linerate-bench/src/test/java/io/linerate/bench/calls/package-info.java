@NullMarked
package io.linerate.bench.calls;

import org.jspecify.annotations.NullMarked;
