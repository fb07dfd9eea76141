/** Clocks. Durations are measured with {@link System#nanoTime()}. */
@NullMarked
package io.linerate.core.time;

import org.jspecify.annotations.NullMarked;
