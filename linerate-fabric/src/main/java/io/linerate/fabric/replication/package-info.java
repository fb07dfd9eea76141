/**
 * Tables of one process whose records are copied into the memory of another, a standby, by writes
 * of remote memory: when the primary ends, however it does, the standby has what it knew.
 */
@NullMarked
package io.linerate.fabric.replication;

import org.jspecify.annotations.NullMarked;
