/**
 * The standard elements: one class each, whose comment is its manual page. They depend on nothing
 * that an element written elsewhere could not use.
 */
@NullMarked
package io.linerate.graph.element;

import org.jspecify.annotations.NullMarked;
