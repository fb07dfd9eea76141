/** {@code linerate ctl}: tells a running program what to do. */
@NullMarked
package io.linerate.apps.ctl;

import org.jspecify.annotations.NullMarked;
