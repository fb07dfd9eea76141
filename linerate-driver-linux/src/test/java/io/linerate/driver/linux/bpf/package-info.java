/** The assembler of BPF programs. */
package io.linerate.driver.linux.bpf;
