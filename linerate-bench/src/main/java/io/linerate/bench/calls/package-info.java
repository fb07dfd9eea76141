/**
 * {@code calls}: what the policies of system calls cost, in calls for each packet and in time that
 * a packet waits, at sparse, medium and full load.
 */
@NullMarked
package io.linerate.bench.calls;

import org.jspecify.annotations.NullMarked;
