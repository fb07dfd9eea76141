package io.linerate.fabric.channel;

import io.linerate.fabric.FabricException;
import io.linerate.fabric.host.Boot;
import io.linerate.fabric.host.PeerProcess;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * What both sides tell each other when a channel begins: with the request of a connection and its
 * answer, or as a message. Network order: version 2 bytes, length of the name 2, number of the
 * channel 4, window 4, longest message 4, host 8, process 4, its start 8, name.
 *
 * @param version of the protocol
 * @param channel how messages to the side that tells it are to name it
 * @param window messages that it has memory for
 * @param messageBytes the longest that it takes
 * @param host a number of the host, 0 where it is not known
 * @param pid of its process
 * @param started when that was started
 * @param name of its endpoint, for a peer without a connection; empty otherwise
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
record Hello(
    int version,
    int channel,
    int window,
    int messageBytes,
    long host,
    int pid,
    long started,
    byte[] name) {
  static final int VERSION = 1;
  static final int BYTES = 36;

  /** That of this process. */
  static Hello own(int channel, ChannelSettings settings, byte[] name) {
    PeerProcess process = PeerProcess.own();
    return new Hello(
        VERSION,
        channel,
        settings.window(),
        settings.messageBytes(),
        Boot.id(),
        process.pid(),
        process.started(),
        name);
  }

  byte[] encode() {
    return ByteBuffer.allocate(BYTES + name.length)
        .putShort((short) version)
        .putShort((short) name.length)
        .putInt(channel)
        .putInt(window)
        .putInt(messageBytes)
        .putLong(host)
        .putInt(pid)
        .putLong(started)
        .put(name)
        .array();
  }

  /**
   * Reads one.
   *
   * @throws FabricException if it is none, or of another version
   */
  static Hello decode(byte[] data) {
    try {
      ByteBuffer buffer = ByteBuffer.wrap(data);
      int version = buffer.getShort();
      int nameBytes = Short.toUnsignedInt(buffer.getShort());
      if (version != VERSION) {
        throw new FabricException(
            "the peer has another version of channels: peer=%d, own=%d; use the same release on both sides"
                .formatted(version, VERSION));
      }
      int channel = buffer.getInt();
      int window = buffer.getInt();
      int messageBytes = buffer.getInt();
      long host = buffer.getLong();
      int pid = buffer.getInt();
      long started = buffer.getLong();
      byte[] name = new byte[Math.min(nameBytes, buffer.remaining())];
      buffer.get(name);
      if (window < 2 || window > 4096 || messageBytes < 1 || messageBytes > 16 << 20) {
        throw new FabricException(
            "not the greeting of a channel: window=%d, messageBytes=%d; connect Linerate to Linerate"
                .formatted(window, messageBytes));
      }
      return new Hello(version, channel, window, messageBytes, host, pid, started, name);
    } catch (BufferUnderflowException e) {
      throw new FabricException(
          "not the greeting of a channel: length=%d; connect Linerate to Linerate"
              .formatted(data.length));
    }
  }

  /** The peer's process, where this host knows it; null otherwise. */
  @Nullable PeerProcess process() {
    return host != 0 && host == Boot.id() ? new PeerProcess(pid, started) : null;
  }
}
