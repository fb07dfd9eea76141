/**
 * Streams of TCP put together from their segments, without a copy: in order, with overlaps resolved
 * as the receiver would, gaps reported, and memory bounded.
 */
@NullMarked
package io.linerate.decode.stream;

import org.jspecify.annotations.NullMarked;
