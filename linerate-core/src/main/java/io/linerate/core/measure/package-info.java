/** Measures workers, ports and pools while they run, and says how they stand as samples. */
@NullMarked
package io.linerate.core.measure;

import org.jspecify.annotations.NullMarked;
