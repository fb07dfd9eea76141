/**
 * What the kernel's ports share: system calls, memory shared with the kernel, the facts of network
 * interfaces, and the two algorithms that decide when a system call is worth its price.
 */
@NullMarked
package io.linerate.driver.linux;

import org.jspecify.annotations.NullMarked;
