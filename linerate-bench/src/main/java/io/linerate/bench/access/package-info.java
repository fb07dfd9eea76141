/**
 * How Java reads and changes a struct that native code filled: the thesis's section 5.3, algorithm
 * 2, with its four techniques and today's.
 */
@NullMarked
package io.linerate.bench.access;

import org.jspecify.annotations.NullMarked;
