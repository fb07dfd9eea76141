/** Tests of {@link io.linerate.bench.middlebox}. */
@NullMarked
package io.linerate.bench.middlebox;

import org.jspecify.annotations.NullMarked;
