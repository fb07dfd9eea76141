/**
 * {@code linerate measure}: throughput and latency of a device between two ports, by the methods of
 * RFC 2544, sections 26.1 and 26.2.
 */
@NullMarked
package io.linerate.apps.measure;

import org.jspecify.annotations.NullMarked;
