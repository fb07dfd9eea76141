/**
 * What all programs share: the command line, the console, running an engine to its end, the
 * summary.
 */
@NullMarked
package io.linerate.program.run;

import org.jspecify.annotations.NullMarked;
