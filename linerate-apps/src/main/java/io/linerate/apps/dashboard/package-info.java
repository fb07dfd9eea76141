/** One page for all programs that run. */
@NullMarked
package io.linerate.apps.dashboard;

import org.jspecify.annotations.NullMarked;
