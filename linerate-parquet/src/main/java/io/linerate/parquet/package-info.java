/**
 * Flows, packets and windows of traffic as Parquet files, which tools that analyse data read:
 * columns, compressed.
 */
@NullMarked
package io.linerate.parquet;

import org.jspecify.annotations.NullMarked;
