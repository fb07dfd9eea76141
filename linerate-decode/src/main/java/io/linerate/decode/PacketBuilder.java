package io.linerate.decode;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes packets of layers, from the outermost on, by the fields that protocols declare. What is not
 * set the protocols complete: lengths, checksums, and the numbers of what follows.
 *
 * <pre>{@code
 * byte[] syn =
 *     new PacketBuilder(Protocols.standard())
 *         .add(EthernetProtocol.ETHERNET).set(EthernetProtocol.SOURCE, 0x020000000001L)
 *         .add(Ipv4Protocol.IP).set(Ipv4Protocol.SOURCE, 0xC0000201L)
 *         .add(TcpProtocol.TCP).set(TcpProtocol.SYN, 1).append(4, 0x020405B4L)
 *         .build();
 * }</pre>
 */
public final class PacketBuilder {
  private final Protocols protocols;
  private final List<LayerBuilder> layers = new ArrayList<>();

  public PacketBuilder(Protocols protocols) {
    this.protocols = protocols;
  }

  /**
   * Adds a layer: as long as its fixed fields, all of them 0.
   *
   * @throws IllegalArgumentException if no such protocol is known
   */
  public PacketBuilder add(Fields protocol) {
    Protocol known = protocols.all().get(protocols.number(protocol));
    layers.add(new LayerBuilder(this, layers.size(), known));
    return this;
  }

  /**
   * Sets a field of the layer that was added last, or adds it at its end if it has no fixed place.
   *
   * @throws IllegalArgumentException if the value does not fit, or the field is another protocol's
   */
  public PacketBuilder set(Field field, long value) {
    last().set(field, value);
    return this;
  }

  /** As {@link #set(Field, long)}, of 128 bits. */
  public PacketBuilder set(Field field, long high, long low) {
    last().set(field, high, low);
    return this;
  }

  /** Adds bytes at the end of the layer that was added last: an option, or what it carries. */
  public PacketBuilder append(byte... bytes) {
    last().append(bytes);
    return this;
  }

  /** As {@link #append(byte...)}, of the last bytes of a number in network order. */
  public PacketBuilder append(int count, long value) {
    for (int i = count - 1; i >= 0; i--) {
      last().append((byte) (value >>> (8 * i)));
    }
    return this;
  }

  /** Adds bytes of one value at the end of that layer until its length is a multiple. */
  public PacketBuilder pad(int multiple, int value) {
    while (last().length() % multiple != 0) {
      last().append((byte) value);
    }
    return this;
  }

  private LayerBuilder last() {
    if (layers.isEmpty()) {
      throw new IllegalStateException("packet has no layer yet; add one first");
    }
    return layers.getLast();
  }

  @Nullable LayerBuilder at(int index) {
    return index >= 0 && index < layers.size() ? layers.get(index) : null;
  }

  /** The first number in a table that stands for a protocol; -1 if none does. */
  long key(DispatchTable table, Protocol protocol) {
    for (DispatchKey key : protocol.keys()) {
      if (key.table().equals(table)) {
        return key.value();
      }
    }
    return -1;
  }

  /** The packet. More can be added, and another one built. */
  public byte[] build() {
    byte[] bytes = {};
    for (int i = layers.size() - 1; i >= 0; i--) {
      bytes = layers.get(i).complete(bytes);
    }
    return bytes;
  }
}
