/** The log of the program: lines on standard error or elsewhere, and the last of them in memory. */
@NullMarked
package io.linerate.core.log;

import org.jspecify.annotations.NullMarked;
