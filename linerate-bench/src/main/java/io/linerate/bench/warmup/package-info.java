/**
 * How soon a program runs at full speed, with and without the launcher's cache, and whether it
 * stays there: what just-in-time compilers are doubted for.
 */
@NullMarked
package io.linerate.bench.warmup;

import org.jspecify.annotations.NullMarked;
