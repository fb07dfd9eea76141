/**
 * {@code bench:} ports, through which the harness speaks to a command of Linerate while it is
 * measured.
 */
@NullMarked
package io.linerate.bench.port;

import org.jspecify.annotations.NullMarked;
