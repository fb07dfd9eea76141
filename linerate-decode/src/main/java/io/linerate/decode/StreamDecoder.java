package io.linerate.decode;

import io.linerate.core.memory.ByteView;
import io.linerate.core.memory.HeldPackets;
import io.linerate.core.memory.Packet;
import io.linerate.core.memory.SlidingWindowBuffer;
import io.linerate.decode.reassembly.Direction;
import io.linerate.decode.reassembly.FragmentReassembler;
import io.linerate.decode.reassembly.FragmentResult;
import io.linerate.decode.reassembly.FragmentSettings;
import io.linerate.decode.reassembly.StreamEnd;
import io.linerate.decode.reassembly.StreamListener;
import io.linerate.decode.reassembly.StreamSettings;
import io.linerate.decode.reassembly.TcpReassembler;
import io.linerate.decode.reassembly.TcpStream;
import io.linerate.wire.HeaderScanner;
import java.util.function.IntFunction;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Decodes packets one after the other, with datagrams put together from their fragments, and the
 * messages that TCP carries from their segments: each shows in the packet that completes it.
 * Nothing is copied.
 */
public final class StreamDecoder {
  /** Messages that one packet can complete; what is more waits for the next. */
  private static final int MAX_MESSAGES = 32;

  private static final int HELD_PACKETS = 32_767;

  private final Decoder decoder;
  private final DecodeListener listener;
  private final FragmentReassembler fragments;
  private final TcpReassembler reassembler;
  private final HeaderScanner scanner = new HeaderScanner();
  private final MessageWaits.Pool waits = new MessageWaits.Pool();
  private final CountedBytes counted = new CountedBytes(ByteView.of(new byte[0], 0));
  private @Nullable Packet current;
  private boolean isShown;
  private long messageSteps;

  /**
   * @param holds makes room for packets that wait, without a time-out; it is asked twice
   * @param random makes the secret of the table's hash
   */
  public StreamDecoder(
      Protocols protocols,
      StreamSettings settings,
      IntFunction<HeldPackets> holds,
      DecodeListener listener,
      RandomGenerator random) {
    this.listener = listener;
    decoder = new Decoder(protocols);
    decoder.leaveParts();
    fragments =
        new FragmentReassembler(FragmentSettings.DEFAULT, holds.apply(HELD_PACKETS), random);
    HeldPackets held = holds.apply(HELD_PACKETS);
    reassembler = new TcpReassembler(settings, held, new Messages(), random);
  }

  /** What it has found in the packet that was decoded last. */
  public Decoder decoder() {
    return decoder;
  }

  /**
   * Decodes a packet and shows it to the listener. Afterwards it is in its burst, unless bytes of
   * it are needed later.
   */
  public void decode(Packet packet) {
    decoder.decode(packet);
    if (decoder.isFragment() && decoder.scan(packet, scanner)) {
      decodeFragment(packet);
      return;
    }
    current = packet;
    isShown = false;
    boolean isStream = decoder.streamProtocol() != null && decoder.scan(packet, scanner);
    if (isStream) {
      TcpStream _ = reassembler.look(packet, scanner, packet.timestampNs());
    }
    if (!isShown) {
      listener.onPacket(decoder, packet);
    }
    if (isStream) {
      reassembler.settle(packet);
    }
    current = null;
  }

  private void decodeFragment(Packet packet) {
    FragmentResult result = fragments.look(packet, scanner, packet.timestampNs());
    if (result == FragmentResult.COMPLETE) {
      decoder.appendDatagram(fragments.datagram(), fragments.protocol());
    }
    listener.onPacket(decoder, packet);
    fragments.release();
    boolean _ = fragments.settle(packet);
  }

  /** Bytes that protocols have read to say where messages end. */
  long messageSteps() {
    return messageSteps;
  }

  /** Ends all streams. */
  public void close() {
    fragments.close();
    reassembler.close();
  }

  /** Finds messages in what has come of a stream. */
  private final class Messages implements StreamListener {
    @Override
    public void onBytes(TcpStream stream, Direction direction) {
      Packet packet = current;
      Protocol protocol = decoder.streamProtocol();
      SlidingWindowBuffer window = stream.bytes(direction);
      if (packet == null || isShown || protocol == null) {
        window.slideTo(window.end()); // Its packet was shown: what is left is no whole message.
        return;
      }
      MessageWait wait = waits.of(stream, direction);
      if (!wait.isOver(window)) {
        return;
      }
      int read = appendMessages(protocol, window, wait);
      if (read > 0) {
        isShown = true;
        listener.onPacket(decoder, packet);
        window.slideTo(window.start() + read);
      }
    }

    @Override
    public void onClose(TcpStream stream, StreamEnd end) {
      waits.release(stream);
    }
  }

  /** Appends the messages that are complete; returns their bytes. */
  private int appendMessages(Protocol protocol, SlidingWindowBuffer window, MessageWait wait) {
    int read = 0;
    for (int i = 0; i < MAX_MESSAGES && read < window.length(); i++) {
      int left = window.length() - read;
      int count = decoder.messageBytes(protocol, counted.of(window), read);
      wait.asked(counted.reads());
      messageSteps += counted.reads();
      if (count == Protocol.UNKNOWN) {
        count = left;
      }
      if (count <= 0 || count > left) {
        long start = window.start() + read;
        wait.await(start, start + count);
        break;
      }
      decoder.append(window, read, read + count, protocol);
      read += count;
    }
    return read;
  }
}
