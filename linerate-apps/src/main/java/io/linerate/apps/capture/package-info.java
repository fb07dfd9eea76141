/**
 * The capture: receives packets, counts them by size and protocol, and may write them to a file.
 */
@NullMarked
package io.linerate.apps.capture;

import org.jspecify.annotations.NullMarked;
