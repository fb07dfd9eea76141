package io.linerate.driver.pcap.libpcap;

import io.linerate.core.port.DriverPort;
import io.linerate.core.port.PortProvider;
import io.linerate.core.port.PortRequest;
import io.linerate.driver.linux.ReopeningPort;

/**
 * Interfaces and capture files through the system's libpcap: for its filters, its time stamps, and
 * what other drivers cannot open. For speed there are {@code packet:}, {@code xdp:} and {@code
 * pcap:}, which copy nothing and make one call for many packets.
 *
 * <h2>Address</h2>
 *
 * <pre>
 * libpcap:INTERFACE[,snaplen=N][,promisc=on|off][,immediate=on|off][,timeout=TIME][,buffer=N]
 *   [,tstamp=TYPE][,precision=micro|nano][,filter=EXPRESSION][,linktype=TYPE]
 *   [,direction=in|out|inout][,reopen=on|off]
 * libpcap:file=PATH[,precision=micro|nano][,filter=EXPRESSION]
 * </pre>
 *
 * A comma in a path or an expression is written {@code \,}.
 *
 * <pre>
 *   snaplen    bytes of each packet that are received, 1 to 262,144           262144
 *   promisc    whether frames for other MAC addresses are received            as configured
 *   immediate  whether packets are there as soon as they come                 on
 *   timeout    how long they may wait with immediate=off, 1ms to 1m           10ms
 *   buffer     MiB of the kernel's buffer for received packets, 1 to 2,047    32
 *   tstamp     which clock stamps packets: host, host_lowprec, host_hiprec,
 *              host_hiprec_unsynced, adapter, adapter_unsynced; linerate
 *              doctor lists what an interface can                             the interface's
 *   precision  unit of times                                                  nano, if there is
 *   filter     which packets are received, in the language of pcap-filter(7)  all
 *   linktype   what packets begin with, where a device lets choose, such as
 *              LINUX_SLL2 of any; linerate doctor lists them                  the device's
 *   direction  in: what the interface received; out: what it sent, this
 *              program included; inout: both                                  in, if it can tell
 *   reopen     whether it is opened again when the interface was deleted and
 *              made again                                                     off
 * </pre>
 *
 * An interface is whatever libpcap calls a device, such as {@code any}; {@code linerate doctor}
 * lists them. Packets have its link type, and only such are sent. Needs the package libpcap0.8 (1.5
 * or newer) and, on Linux, CAP_NET_RAW.
 *
 * <p>With {@code immediate=on} the kernel's buffer has slots of one size, for {@code snaplen} bytes
 * but not more than the longest frame: 64 KiB where an interface joins packets (GRO). 32 MiB are
 * 512 of them; {@code snaplen=2048} makes it 16,384, and {@code immediate=off} fills the buffer
 * without gaps.
 *
 * <h2>Packets</h2>
 *
 * They are copied, one by one, into buffers of 2 KiB, or of the configured MTU if that is longer;
 * longer packets have several segments. There are 128 bytes of headroom. What was captured of a
 * packet is the packet: those that were longer on the wire are counted as {@code rx_cut}. VLAN tags
 * are where they belong. Libpcap does not say which checksums a sender in the same machine has left
 * to hardware: such packets come as they are, and super-packets are cut only by their length.
 *
 * <p>One receive queue, and as many transmit queues as are asked for, each of which is a socket
 * that is opened when a program first wants it. Each packet that is sent is a system call. What the
 * kernel refuses is dropped as {@code tx_too_long}, {@code tx_too_short}, {@code tx_link_down} or
 * {@code tx_error}.
 *
 * <p>A file is in any format that libpcap reads, and its queue is exhausted after the last packet.
 * It has no transmit queue.
 *
 * <h2>Statistics</h2>
 *
 * {@code missed} is what the kernel's buffer had no room for ({@code ps_drop}), and what the
 * interface itself has lost since the port was opened ({@code ps_ifdrop}). {@code errors} are
 * packets that were refused, and packets longer than all buffers of the port together.
 *
 * <h2>Example</h2>
 *
 * <pre>
 * linerate capture --port 'libpcap:eth0,filter=tcp port 443 and host 192.0.2.1' --packets 100
 * </pre>
 */
public final class LibpcapPortProvider implements PortProvider {
  @Override
  public String scheme() {
    return "libpcap";
  }

  @Override
  public DriverPort open(PortRequest request) {
    LibpcapAddress address = LibpcapAddress.parse(request.address());
    return ReopeningPort.open(request, address.reopen(), () -> LibpcapPort.open(request, address));
  }
}
