/**
 * Counters with one writer each, read by others while the program runs. Nobody resets them; readers
 * take differences.
 */
@NullMarked
package io.linerate.core.counter;

import org.jspecify.annotations.NullMarked;
