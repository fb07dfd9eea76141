/**
 * DPDK devices as ports: {@code dpdk:0000:03:00.0}, {@code dpdk:net_null0,size=64}.
 *
 * <p>{@code DpdkPortProvider} starts DPDK's environment with the first port and ends it after the
 * last; {@code DpdkPort} sets a device up; its queues make one native call a burst, through {@code
 * DpdkLibrary}. {@code ShimFunction} has the other native functions.
 */
@NullMarked
package io.linerate.driver.dpdk;

import org.jspecify.annotations.NullMarked;
