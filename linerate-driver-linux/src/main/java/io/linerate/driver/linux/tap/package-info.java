/** {@code tap:} ports: interfaces whose cable ends in the program, so that the kernel is a host. */
@NullMarked
package io.linerate.driver.linux.tap;

import org.jspecify.annotations.NullMarked;
