/**
 * {@code libpcap:} ports: interfaces and capture files through the system's libpcap.
 *
 * <p>{@link io.linerate.driver.pcap.libpcap.LibpcapPortProvider} describes the address; {@link
 * io.linerate.driver.pcap.libpcap.CaptureDevice} lists what libpcap can open.
 */
@NullMarked
package io.linerate.driver.pcap.libpcap;

import org.jspecify.annotations.NullMarked;
