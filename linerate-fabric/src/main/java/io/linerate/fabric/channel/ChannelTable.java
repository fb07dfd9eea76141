package io.linerate.fabric.channel;

import java.security.SecureRandom;
import java.util.Arrays;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Channels by the numbers that peers call them by: 32 random bits, so that no peer guesses that of
 * another, and none is used again soon. A number also tells the place in the table.
 */
final class ChannelTable {
  private final SecureRandom random = new SecureRandom();
  private final @Nullable Channel[] places;
  private Channel[] all = {}; // To go through them without an object.

  /**
   * @param channels at most
   */
  ChannelTable(int channels) {
    places = new Channel[Integer.highestOneBit(channels) << 2]; // At least half of it is free.
  }

  int size() {
    return all.length;
  }

  /** All of them, in an array that is not to be changed. */
  Channel[] all() {
    return all;
  }

  @Nullable Channel find(int id) {
    Channel there = places[place(id)];
    return there != null && there.id() == id ? there : null;
  }

  private int place(int id) {
    return id & (places.length - 1);
  }

  /** Adds one, which is given its number; there must be room. */
  Channel add(IntFunction<Channel> made) {
    int id = random.nextInt();
    while (places[place(id)] != null) {
      id = random.nextInt();
    }
    Channel channel = made.apply(id);
    places[place(id)] = channel;
    all = Arrays.copyOf(all, all.length + 1);
    all[all.length - 1] = channel;
    return channel;
  }

  void remove(Channel channel) {
    if (channel.equals(find(channel.id()))) {
      places[place(channel.id())] = null;
      all = Arrays.stream(all).filter(each -> !each.equals(channel)).toArray(Channel[]::new);
    }
  }
}
