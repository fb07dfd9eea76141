/**
 * Programs for the kernel's BPF machine: what {@code xdp:} and {@code packet:} ports have it do
 * with each packet, assembled and loaded here.
 */
@NullMarked
package io.linerate.driver.linux.bpf;

import org.jspecify.annotations.NullMarked;
