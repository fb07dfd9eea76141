/** From the text of a filter to its syntax tree. */
@NullMarked
package io.linerate.filter.syntax;

import org.jspecify.annotations.NullMarked;
