@NullMarked
package io.linerate.bench.crossing;

import org.jspecify.annotations.NullMarked;
