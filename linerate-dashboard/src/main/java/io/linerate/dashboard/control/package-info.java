/** What a running program can be told to do: values, rules, taps, workers, queues. */
@NullMarked
package io.linerate.dashboard.control;

import org.jspecify.annotations.NullMarked;
