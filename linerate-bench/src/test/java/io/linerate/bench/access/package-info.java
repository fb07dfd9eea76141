@NullMarked
package io.linerate.bench.access;

import org.jspecify.annotations.NullMarked;
