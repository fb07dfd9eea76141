/** The doctor: looks at the machine and says what is missing and which command mends it. */
@NullMarked
package io.linerate.apps.doctor;

import org.jspecify.annotations.NullMarked;
