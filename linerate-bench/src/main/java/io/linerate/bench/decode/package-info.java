/** What it costs to decode packets, beside C of the same depth and other libraries of Java. */
@NullMarked
package io.linerate.bench.decode;

import org.jspecify.annotations.NullMarked;
