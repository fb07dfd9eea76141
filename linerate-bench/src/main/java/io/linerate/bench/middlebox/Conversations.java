package io.linerate.bench.middlebox;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;

/**
 * Many connections and their frames, in bursts of packets of one end, as they come by a port for
 * each end.
 *
 * @param count of them
 * @param outside where servers send to: the client's address, or that of a translator
 */
record Conversations(int count, ToIntFunction<Conversation> outside) {
  private static final int BURST = 32;

  /** Three frames of each, which all begin, are answered, and go on. */
  List<byte[]> setup() {
    List<byte[]> frames = new ArrayList<>(3 * count);
    for (int from = 0; from < count; from += BURST) {
      List<Conversation> some =
          IntStream.range(from, Math.min(from + BURST, count)).mapToObj(Conversation::of).toList();
      addAll(frames, some, Conversation::begin);
      addAll(frames, some, one -> one.answer(outside.applyAsInt(one)));
      addAll(frames, some, Conversation::data);
    }
    return frames;
  }

  private static void addAll(
      List<byte[]> frames, List<Conversation> some, Function<Conversation, byte[]> frame) {
    some.forEach(one -> frames.add(frame.apply(one)));
  }

  /** Data of any of them, by turns from clients and from servers. */
  List<byte[]> data(int frames) {
    Random random = new Random(count);
    List<byte[]> all = new ArrayList<>(frames);
    for (int burst = 0; burst < frames / BURST; burst++) {
      for (int i = 0; i < BURST; i++) {
        Conversation one = Conversation.of(random.nextInt(count));
        all.add(burst % 2 == 0 ? one.data() : one.reply(outside.applyAsInt(one)));
      }
    }
    return all;
  }
}
