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
      look(stream, direction, stream.isFinished(direction));
    }

    @Override
    public void onFinish(TcpStream stream, Direction direction) {
      look(stream, direction, true);
    }

    @Override
    public void onGap(TcpStream stream, Direction direction, long bytes) {
      waits.of(stream).forgetQuestions();
    }

    @Override
    public void onClose(TcpStream stream, StreamEnd end) {
      if (end == StreamEnd.RESET) {
        look(stream, Direction.TO_SERVER, true);
        look(stream, Direction.TO_CLIENT, true);
      }
      waits.release(stream);
    }
  }

  /**
   * Shows the messages that are there, unless the packet was shown: then what is left is gone.
   *
   * @param isLast nothing more comes: also what there is of one that is not whole
   */
  private void look(TcpStream stream, Direction direction, boolean isLast) {
    Packet packet = current;
    Protocol protocol = decoder.streamProtocol();
    SlidingWindowBuffer window = stream.bytes(direction);
    if (packet == null || isShown || protocol == null || stream.isRemoved()) {
      window.slideTo(window.end()); // No packet is there to show it any more.
      return;
    }
    MessageWaits both = waits.of(stream);
    MessageWait wait = both.of(direction);
    if (wait.isLost(window)) {
      both.forgetQuestions();
      wait.read();
    }
    int read = wait.isOver(window) ? appendMessages(protocol, window, both, direction) : 0;
    if (isLast && read < window.length()) {
      appendRest(protocol, window, both, direction, read);
      read = window.length();
    }
    if (read > 0) {
      isShown = true;
      listener.onPacket(decoder, packet);
      window.slideTo(window.start() + read);
    }
  }

  /** Appends what is left: of a message that is not whole, or of more than one packet may have. */
  private void appendRest(
      Protocol protocol,
      SlidingWindowBuffer window,
      MessageWaits both,
      Direction direction,
      int from) {
    int question = both.of(direction.other()).questions.first();
    if (both.of(direction).isWaiting()) {
      decoder.appendCut(window, from, window.length(), protocol, question);
    } else {
      decoder.append(window, from, window.length(), protocol, question);
    }
  }

  /** Appends the messages that are complete; returns their bytes. */
  private int appendMessages(
      Protocol protocol, SlidingWindowBuffer window, MessageWaits both, Direction direction) {
    MessageWait wait = both.of(direction);
    Questions asked = both.of(direction.other()).questions;
    int read = 0;
    for (int i = 0; i < MAX_MESSAGES && read < window.length(); i++) {
      int left = window.length() - read;
      int question = asked.first();
      int count = decoder.messageBytes(protocol, counted.of(window), read, question);
      if (count == Protocol.UNKNOWN) {
        both.forgetQuestions();
        count = left;
      } else if (count > 0 && count <= left) {
        exchange(decoder.exchange(protocol, counted, read, read + count), wait.questions, asked);
      }
      wait.asked(counted.reads());
      messageSteps += counted.reads();
      if (count <= 0 || count > left) {
        long start = window.start() + read;
        wait.await(start, start + count);
        return read;
      }
      decoder.append(window, read, read + count, protocol, question);
      read += count;
    }
    wait.read();
    return read;
  }

  private static void exchange(int said, Questions own, Questions others) {
    if (said == Protocol.ANSWER) {
      others.removeFirst();
    } else if (said != 0) {
      own.add(said);
    }
  }
}
