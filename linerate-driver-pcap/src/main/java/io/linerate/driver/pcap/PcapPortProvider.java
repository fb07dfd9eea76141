package io.linerate.driver.pcap;

import io.linerate.core.port.DriverPort;
import io.linerate.core.port.PortProvider;
import io.linerate.core.port.PortRequest;

/**
 * Capture files as ports.
 *
 * <h2>Address</h2>
 *
 * <pre>
 * pcap:rx=PATH[,loop=N|forever][,pace=none|recorded][,linktype=TYPE]
 * pcap:tx=PATH
 * pcap:rx=PATH,tx=PATH[,...]
 * </pre>
 *
 * A comma in a path is written {@code \,}.
 *
 * <dl>
 *   <dt>{@code rx=PATH}
 *   <dd>Receives the packets of the file: pcap, versions 2.0 to 2.4, with times in µs or ns, or
 *       pcapng, in either byte order, of any size. One receive queue; it is exhausted after the
 *       last packet.
 *   <dt>{@code tx=PATH}
 *   <dd>Writes what is transmitted, with times in ns: in pcap format if the name ends in {@code
 *       .pcap}, in pcapng format otherwise. An existing file is replaced. As many transmit queues
 *       as are asked for.
 *   <dt>{@code loop=N}, {@code loop=forever}
 *   <dd>Reads the file N times, 1 by default. A pass begins when all packets of the one before have
 *       ended, and shows the file as it is, whatever the program wrote into packets. Packets keep
 *       their recorded times.
 *   <dt>{@code pace=recorded}
 *   <dd>Receives packets at the distances at which they were recorded, instead of as fast as the
 *       program takes them ({@code none}, the default). A packet that is older than the one in
 *       front of it comes at once. The first packet of a further pass comes after the mean distance
 *       of the pass before.
 *   <dt>{@code linktype=TYPE}
 *   <dd>Receives only packets of this link type, a name or number of tcpdump.org/linktypes.html
 *       such as {@code ETHERNET}, {@code RAW} or 113; packets of others are passed over and counted
 *       as {@code errors}. {@code any} takes all. By default those of all types come that the file
 *       names in front of its first packet.
 * </dl>
 *
 * <h2>Packets</h2>
 *
 * They lie where the file is mapped into memory and are not copied. Programs may change them; the
 * file stays as it is. The headroom is the record's own header (pcap 16 bytes, pcapng 28, simple
 * packet blocks 12), there is no tailroom. What was captured of a packet is the packet, even if it
 * was longer on the wire; a frame check sequence that the file has is part of it. Packets longer
 * than 65,519 bytes have less headroom, those longer than 65,535 bytes have several segments. The
 * file must not become shorter while it is read.
 *
 * <p>Each packet has the link type of its file, or of its interface in pcapng: {@code
 * Packet.linkType}. Handlers and elements that need Ethernet are refused where others come, before
 * any packet does. An interface that a pcapng file names only behind its first packet, of a link
 * type that it had not before, is passed over: its packets are counted as {@code errors}, unless
 * {@code linktype} names it. A file that is written in pcap format has one link type, that of its
 * first packet; packets of others are refused as {@code tx_link_type}. In pcapng there is an
 * interface for each. Packets in simple packet blocks have no time of their own and get that of
 * their reception.
 *
 * <h2>Errors</h2>
 *
 * A cut or damaged file gives the packets in front of the damage, then one error that names file,
 * offset and reason; the offset is that of the record. Damage is: a record, block or option that is
 * longer than what it lies in, a packet longer than 262,144 bytes, a block whose two lengths
 * differ, an interface that does not exist. A file cannot be read and written at once.
 *
 * <h2>Example</h2>
 *
 * <pre>
 * linerate capture --port pcap:rx=in.pcapng,loop=10 --write out.pcapng
 * </pre>
 */
public final class PcapPortProvider implements PortProvider {
  private final OpenFiles files = new OpenFiles();

  @Override
  public String scheme() {
    return "pcap";
  }

  @Override
  public DriverPort open(PortRequest request) {
    PcapOptions options = PcapOptions.parse(request.address());
    files.add(options.rx(), options.tx());
    Runnable onClose = () -> files.remove(options.rx(), options.tx());
    try {
      return PcapPort.open(request, options, onClose);
    } catch (RuntimeException e) {
      onClose.run();
      throw e;
    }
  }
}
