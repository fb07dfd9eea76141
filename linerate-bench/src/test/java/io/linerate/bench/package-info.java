@NullMarked
package io.linerate.bench;

import org.jspecify.annotations.NullMarked;
