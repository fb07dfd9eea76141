/**
 * Streams of TCP put together from their segments, and datagrams from their fragments, without a
 * copy: in order, with overlaps resolved as the receiver would, gaps reported, and memory bounded.
 */
@NullMarked
package io.linerate.decode.reassembly;

import org.jspecify.annotations.NullMarked;
