/** Which program that runs a command is about. */
@NullMarked
package io.linerate.apps.programs;

import org.jspecify.annotations.NullMarked;
