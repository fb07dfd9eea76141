/** Runs instructions of classic BPF: one after the other, or compiled to a class. */
@NullMarked
package io.linerate.filter.run;

import org.jspecify.annotations.NullMarked;
