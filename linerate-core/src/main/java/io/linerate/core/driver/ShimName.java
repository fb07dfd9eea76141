package io.linerate.core.driver;

import java.util.function.Function;

/**
 * A C shim of ours: what it is called, and what to tell those who lack it.
 *
 * @param file its library file, such as {@code liblinerate_dpdk.so}
 * @param library what it stands before, such as {@code DPDK}
 * @param toBuild the packages that a build needs to make it, such as {@code gcc and libdpdk-dev}
 * @param toRun what a program needs to load it: the rest of a sentence that begins with "install"
 * @param unavailable what to throw where it is needed and not there, of {@code reason=...; ...}
 */
public record ShimName(
    String file,
    String library,
    String toBuild,
    String toRun,
    Function<String, RuntimeException> unavailable) {}
