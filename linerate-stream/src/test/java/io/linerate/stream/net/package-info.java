@NullMarked
package io.linerate.stream.net;

import org.jspecify.annotations.NullMarked;
