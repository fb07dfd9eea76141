/** The numbers of programs that run, for scripts. */
@NullMarked
package io.linerate.apps.stats;

import org.jspecify.annotations.NullMarked;
