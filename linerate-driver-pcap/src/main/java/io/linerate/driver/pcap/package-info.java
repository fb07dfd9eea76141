/**
 * Capture files as ports, and a writer of capture files.
 *
 * <p>{@link io.linerate.driver.pcap.PcapPortProvider} describes the address; {@link
 * io.linerate.driver.pcap.CaptureWriter} is for whoever wants to record packets without a port,
 * {@link io.linerate.driver.pcap.CaptureTap} for whoever does while they go elsewhere.
 */
@NullMarked
package io.linerate.driver.pcap;

import org.jspecify.annotations.NullMarked;
