/**
 * What a driver implements, and how its ports are found by address. {@code docs/add-a-driver.md}
 * shows one.
 */
@NullMarked
package io.linerate.core.port;

import org.jspecify.annotations.NullMarked;
