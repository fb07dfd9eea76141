@NullMarked
package io.linerate.bench.language;

import org.jspecify.annotations.NullMarked;
