package io.linerate.bench.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.fabric.FabricAddress;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * A peer of libfabric's own program fi_pingpong: it has a connection of TCP beside the messages, by
 * which the two ends tell their names, wait for each other, and say how many messages came. Texts
 * end with a byte 0.
 */
final class PingpongPeer {
  private static final String ALPHABET =
      "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

  /** By how much each message begins later in the alphabet. */
  private static final int SHIFT = 7;

  private static final int COUNT_BYTES = 10;
  private static final int FI_SOCKADDR_IN = 2;
  private static final int FI_ADDR_STR = 9;
  private static final int MOST = 1 << 20;
  private static final int SOON_MS = 20_000;

  private final JavaTwin twin;
  private final boolean isServer;
  private final DataInputStream in;
  private final DataOutputStream out;

  /** Of names, as libfabric has it: the length of one is in network order, this is not. */
  private int format;

  /**
   * @param control the connection beside
   */
  PingpongPeer(JavaTwin twin, boolean isServer, boolean isSharedMemory, Socket control)
      throws IOException {
    this.twin = twin;
    this.isServer = isServer;
    format = isSharedMemory ? FI_ADDR_STR : FI_SOCKADDR_IN;
    control.setSoTimeout(SOON_MS);
    in = new DataInputStream(control.getInputStream());
    out = new DataOutputStream(control.getOutputStream());
  }

  /**
   * Meets the other end.
   *
   * @param own where a server with connections listens
   */
  void meet(FabricAddress own) throws IOException {
    if (twin.isOpen()) {
      if (isServer) {
        sendName(twin.ownName());
        twin.meet(receiveName());
      } else {
        byte[] name = receiveName();
        sendName(twin.ownName());
        twin.meet(name);
      }
      return;
    }
    if (isServer) {
      sendName(socketAddress(own));
      twin.accept();
    } else {
      twin.connect(address(own.provider(), receiveName()));
    }
    twin.awaitConnected();
  }

  /** Messages there and back, looked at, and what both ends say at the end. */
  void run(int messages, int bytes) throws IOException {
    await();
    for (int i = 0; i < messages; i++) {
      if (isServer) {
        receive(i, bytes);
      }
      twin.outgoing().asSlice(0, bytes).copyFrom(MemorySegment.ofArray(pattern(i, bytes)));
      twin.send(bytes);
      if (!isServer) {
        receive(i, bytes);
      }
    }
    tellCounts(messages);
    MemorySegment end = twin.outgoing();
    end.setString(0, "fin");
    twin.send(4);
    assertThat(twin.receive(MOST)).isEqualTo(4);
    assertThat(twin.incoming().getString(0)).isEqualTo("fin");
  }

  private void receive(int number, int bytes) {
    assertThat(twin.receive(MOST)).isEqualTo(bytes);
    long differs =
        twin.incoming().asSlice(0, bytes).mismatch(MemorySegment.ofArray(pattern(number, bytes)));
    assertThat(differs).as("first byte that differs of message %d", number).isEqualTo(-1);
  }

  private static byte[] pattern(int number, int bytes) {
    byte[] pattern = new byte[bytes];
    for (int i = 0; i < bytes; i++) {
      pattern[i] = (byte) ALPHABET.charAt((number * SHIFT + i) % ALPHABET.length());
    }
    return pattern;
  }

  // ---- the connection beside ----

  /** The client asks, and waits for the server's answer. */
  private void await() throws IOException {
    if (isServer) {
      assertThat(receiveText(2)).isEqualTo("q");
      sendText("a", 2);
    } else {
      sendText("q", 2);
      assertThat(receiveText(2)).isEqualTo("a");
    }
  }

  private void tellCounts(int messages) throws IOException {
    if (isServer) {
      assertThat(receiveText(COUNT_BYTES)).isEqualTo(String.valueOf(messages));
      sendText("cnt ok", 7);
    } else {
      sendText(String.valueOf(messages), COUNT_BYTES);
      assertThat(receiveText(7)).isEqualTo("cnt ok");
    }
  }

  private void sendText(String text, int bytes) throws IOException {
    out.write(ByteBuffer.allocate(bytes).put(text.getBytes(StandardCharsets.US_ASCII)).array());
    out.flush();
  }

  private String receiveText(int bytes) throws IOException {
    byte[] text = in.readNBytes(bytes);
    return new String(text, StandardCharsets.US_ASCII).replace("\0", "");
  }

  private void sendName(byte[] name) throws IOException {
    out.writeInt(name.length);
    out.writeInt(Integer.reverseBytes(format));
    out.write(name);
    out.flush();
  }

  private byte[] receiveName() throws IOException {
    int bytes = in.readInt();
    format = Integer.reverseBytes(in.readInt());
    return in.readNBytes(bytes);
  }

  /** {@code struct sockaddr_in} of an address: family in host byte order, port, host, padding. */
  private static byte[] socketAddress(FabricAddress address) throws IOException {
    return ByteBuffer.allocate(16)
        .put((byte) 2)
        .put((byte) 0)
        .putShort((short) address.port())
        .put(InetAddress.getByName(address.host()).getAddress())
        .array();
  }

  private static FabricAddress address(String provider, byte[] name) throws IOException {
    ByteBuffer socket = ByteBuffer.wrap(name);
    byte[] host = new byte[4];
    socket.get(4, host);
    InetAddress there = InetAddress.getByAddress(host);
    return FabricAddress.parse(
        "%s:%s:%d"
            .formatted(
                provider,
                there.isAnyLocalAddress() ? "127.0.0.1" : there.getHostAddress(),
                socket.getShort(2) & 0xFFFF));
  }
}
