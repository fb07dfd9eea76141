/** {@code linerate capture} beside C: receive, count, free. */
@NullMarked
package io.linerate.bench.capture;

import org.jspecify.annotations.NullMarked;
