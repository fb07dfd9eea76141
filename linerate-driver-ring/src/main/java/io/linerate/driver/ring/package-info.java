/**
 * Ports without a device: wires of in-memory rings ({@code ring:}), and ports that stand before
 * another port to trace, record or disturb what passes ({@code trace:}, {@code record:}, {@code
 * fault:}).
 */
@NullMarked
package io.linerate.driver.ring;

import org.jspecify.annotations.NullMarked;
