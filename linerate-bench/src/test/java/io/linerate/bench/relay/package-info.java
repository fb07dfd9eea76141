@NullMarked
package io.linerate.bench.relay;

import org.jspecify.annotations.NullMarked;
