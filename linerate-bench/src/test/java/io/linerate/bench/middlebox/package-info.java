@NullMarked
package io.linerate.bench.middlebox;

import org.jspecify.annotations.NullMarked;
