package io.linerate.apps.generate;

import io.linerate.core.memory.Burst;
import io.linerate.core.memory.Packet;
import io.linerate.wire.InternetChecksum;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Frames copied from images, with the fields written that vary. */
final class MadeFrames implements FrameSource {
  private static final long LOW_32 = 0xFFFF_FFFFL;
  private static final int IPV4_CHECKSUM = 10;
  private static final int IPV4_SOURCE = 12;
  private static final int IPV6_SOURCE = 8;
  private static final int ARP_SENDER = 14;
  private static final int ARP_TARGET = 24;
  private static final int ICMP_SEQUENCE = 6;

  private final FrameSpec spec;
  private final FrameImages images;
  private final MemorySegment memory;
  private final @Nullable PacketEdit edit;
  private final SizeMix mix;
  private final ValueCursor sizes;
  private final ValueCursor sources;
  private final ValueCursor destinations;
  private final ValueCursor sourcePorts;
  private final ValueCursor destinationPorts;
  private final int substream;
  private final int worker;
  private final int workers;
  private final int l3;
  private final int l4;
  private final int payload;
  private final int checksum;
  private final boolean oneSize;
  private final boolean isPlain;
  private final boolean isUdp;
  private final boolean isIcmp;
  private final boolean coversAddresses;
  private final boolean addressesVary;
  private final boolean portsVary;
  private final boolean isStamped;
  private final boolean isSequenced;
  private final boolean isTimed;
  private long number;

  /**
   * @param stream number of the stream in its plan
   * @param worker of {@code workers} which share the stream's packets
   */
  MadeFrames(
      FrameSpec spec,
      FrameImages images,
      @Nullable PacketEdit edit,
      long seed,
      int stream,
      int worker,
      int workers) {
    this.spec = spec;
    this.images = images;
    this.edit = edit;
    this.worker = worker;
    this.workers = workers;
    memory = images.memory();
    mix = spec.sizes();
    substream = Stamp.substream(stream, worker);
    int salt = 0;
    sizes = new ValueCursor(spec.sizes().places(), seed(seed, ++salt), worker, workers);
    sources = new ValueCursor(spec.source(), seed(seed, ++salt), worker, workers);
    destinations = new ValueCursor(spec.destination(), seed(seed, ++salt), worker, workers);
    sourcePorts = new ValueCursor(spec.sourcePort(), seed(seed, ++salt), worker, workers);
    destinationPorts = new ValueCursor(spec.destinationPort(), seed(seed, ++salt), worker, workers);
    l3 = spec.l3Offset();
    l4 = spec.l4Offset();
    payload = spec.payloadOffset();
    isUdp = spec.protocol() == FrameProtocol.UDP;
    isIcmp = spec.protocol() == FrameProtocol.ICMP;
    checksum = l4 + (isUdp ? 6 : isIcmp ? 2 : 16);
    coversAddresses = !isIcmp || spec.ipVersion() == 6;
    oneSize = mix.places().isFixed();
    addressesVary = spec.addressesVary();
    portsVary = spec.portsVary();
    isStamped = spec.isStamped();
    isSequenced = spec.isSequenced();
    isTimed = spec.isTimed();
    isPlain = !addressesVary && !portsVary && !isStamped && !isIcmp && edit == null;
  }

  private static long seed(long seed, int salt) {
    return ValueCursor.mix(seed + salt);
  }

  @Override
  public int write(Packet packet, long nowNs) {
    int image = oneSize ? 0 : mix.sizeAt((int) sizes.next());
    int length = images.length(image);
    packet.append(memory, images.offset(image), length);
    if (!isPlain) {
      vary(packet, image, nowNs);
    }
    number++;
    return length + SizeMix.FCS_BYTES;
  }

  @Override
  public long write(Burst burst, int from, long nowNs) {
    int length = images.length(0);
    if (!oneSize || !burst.fill(from, memory, images.offset(0), length)) {
      return FrameSource.super.write(burst, from, nowNs);
    }
    int count = burst.size() - from;
    if (isPlain) {
      number += count;
    } else {
      for (int i = from; i < burst.size(); i++) {
        vary(burst.packet(i), 0, nowNs);
        number++;
      }
    }
    return (long) count * (length + SizeMix.FCS_BYTES);
  }

  /** Writes what differs from packet to packet. */
  private void vary(Packet packet, int image, long nowNs) {
    if (spec.isArp()) {
      writeArp(packet);
    } else {
      writeFields(packet, image, nowNs);
    }
    if (edit != null) {
      edit.edit(packet, number * workers + worker);
    }
  }

  private void writeArp(Packet packet) {
    if (addressesVary) {
      packet.i32(l3 + ARP_SENDER, (int) (spec.source().low() + sources.next()));
      packet.i32(l3 + ARP_TARGET, (int) (spec.destination().low() + destinations.next()));
    }
  }

  private void writeFields(Packet packet, int image, long nowNs) {
    long sum = images.l4Sum(image);
    if (addressesVary) {
      long addresses = spec.ipVersion() == 4 ? ipv4(packet, image) : ipv6(packet);
      sum += coversAddresses ? addresses : 0;
    }
    if (portsVary) {
      sum += ports(packet);
    }
    if (isIcmp) {
      int echo = (int) (number * workers + worker) & 0xFFFF;
      packet.u16(l4 + ICMP_SEQUENCE, echo);
      sum += echo;
    }
    if (isStamped) {
      sum += Stamp.write(packet, payload, substream, isSequenced ? number : 0, isTimed ? nowNs : 0);
    }
    int value = InternetChecksum.complement(sum);
    // A UDP checksum of 0 would mean none: RFC 768.
    packet.u16(checksum, isUdp && value == 0 ? 0xFFFF : value);
  }

  private long ipv4(Packet packet, int image) {
    long source = spec.source().low() + sources.next();
    long destination = spec.destination().low() + destinations.next();
    packet.u64(l3 + IPV4_SOURCE, source << 32 | destination);
    long sum = source + destination;
    packet.u16(l3 + IPV4_CHECKSUM, InternetChecksum.complement(images.l3Sum(image) + sum));
    return sum;
  }

  private long ipv6(Packet packet) {
    return address(packet, l3 + IPV6_SOURCE, spec.source(), sources.next())
        + address(packet, l3 + IPV6_SOURCE + 16, spec.destination(), destinations.next());
  }

  private static long address(Packet packet, int at, ValueRange range, long offset) {
    long low = range.low() + offset;
    long high = range.high() + (Long.compareUnsigned(low, offset) < 0 ? 1 : 0);
    packet.u64(at, high);
    packet.u64(at + 8, low);
    return (high >>> 32) + (high & LOW_32) + (low >>> 32) + (low & LOW_32);
  }

  private long ports(Packet packet) {
    int from = (int) (spec.sourcePort().low() + sourcePorts.next());
    int to = (int) (spec.destinationPort().low() + destinationPorts.next());
    packet.i32(l4, from << 16 | to);
    return (long) from + to;
  }

  @Override
  public double meanBytes() {
    return spec.sizes().meanBytes();
  }

  @Override
  public int largestBytes() {
    return spec.sizes().largest() - SizeMix.FCS_BYTES;
  }

  @Override
  public long nextSequence() {
    return isSequenced ? number : 0;
  }
}
