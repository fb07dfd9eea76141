/** The standard elements, each on real bytes. */
@NullMarked
package io.linerate.graph.element;

import org.jspecify.annotations.NullMarked;
