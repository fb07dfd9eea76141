/** A terminal screen that shows a program as it runs. */
@NullMarked
package io.linerate.apps.top;

import org.jspecify.annotations.NullMarked;
