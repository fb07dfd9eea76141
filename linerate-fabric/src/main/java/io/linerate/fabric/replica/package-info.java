/**
 * Tables of one process whose records are copied into the memory of another, a standby, by writes
 * of remote memory: when the first ends, however it does, the second has what it knew.
 */
package io.linerate.fabric.replica;
