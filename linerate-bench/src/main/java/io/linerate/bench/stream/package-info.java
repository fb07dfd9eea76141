/** Messages that become datagrams and messages again, on one engine and on two. */
@NullMarked
package io.linerate.bench.stream;

import org.jspecify.annotations.NullMarked;
