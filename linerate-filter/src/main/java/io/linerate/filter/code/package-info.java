/** From a syntax tree to instructions of classic BPF, for one link type. */
@NullMarked
package io.linerate.filter.code;

import org.jspecify.annotations.NullMarked;
