/** What a run and its workers have done with packets and time, in numbers. */
@NullMarked
package io.linerate.core.statistics;

import org.jspecify.annotations.NullMarked;
