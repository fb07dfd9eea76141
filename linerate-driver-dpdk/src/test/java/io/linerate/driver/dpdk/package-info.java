/** Each class here starts DPDK, and so gets a process of its own. */
@org.jspecify.annotations.NullMarked
package io.linerate.driver.dpdk;
