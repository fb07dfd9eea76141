/** What the elements of a graph cost by themselves. */
@NullMarked
package io.linerate.bench.elements;

import org.jspecify.annotations.NullMarked;
