package io.linerate.dashboard.talkers;

import com.google.gson.stream.JsonWriter;
import io.linerate.core.worker.Engine;
import io.linerate.core.worker.Worker;
import io.linerate.dashboard.http.JsonMembers;
import io.linerate.wire.Ipv4Address;
import io.linerate.wire.Ipv6Address;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * The sources that send most since a client follows the page: estimated from samples where packets
 * are many. While nobody does, nothing is sampled.
 */
public final class TopTalkers {
  private static final int PLACES = 512;
  private static final int SHOWN = 20;

  private final Engine engine;
  private final Map<Worker, SourceProbe> probes = new HashMap<>();
  private final Map<SpaceSaving.Address, long[]> interval = new HashMap<>();
  private SpaceSaving talkers = new SpaceSaving(PLACES);

  public TopTalkers(Engine engine) {
    this.engine = engine;
  }

  /**
   * Counts what was sampled since the last call. Now and then, on one thread.
   *
   * @param isWanted whether a client follows the page
   */
  public synchronized void update(boolean isWanted) {
    if (!isWanted) {
      stop();
      return;
    }
    for (Worker worker : engine.workers()) {
      probes.computeIfAbsent(worker, SourceProbe::new);
    }
    probes.values().forEach(this::take);
  }

  private void take(SourceProbe probe) {
    double weight = probe.drain(this::count);
    interval.forEach((address, sums) ->
        talkers.add(address, Math.round(weight * sums[0]), Math.round(weight * sums[1])));
    interval.clear();
  }

  /** Together for each address first: that of a frequent one is then changed once. */
  private void count(int version, long high, long low, int lengthBytes) {
    if (version == 0) {
      return; // Nobody sent it, but it was a packet.
    }
    long[] sums =
        interval.computeIfAbsent(new SpaceSaving.Address(version, high, low), _ -> new long[2]);
    sums[0]++;
    sums[1] += lengthBytes;
  }

  private void stop() {
    if (!probes.isEmpty()) {
      probes.keySet().forEach(worker -> worker.probe(null, 0, 0));
      probes.clear();
      talkers = new SpaceSaving(PLACES);
    }
  }

  /** Writes those who send most as an array. */
  public synchronized void write(JsonWriter json) throws IOException {
    JsonMembers.objects(
        json,
        talkers.top(SHOWN),
        talker -> {
          json.name("address").value(text(talker.address()));
          json.name("packets").value(talker.packets());
          json.name("bytes").value(talker.bytes());
        });
  }

  private static String text(SpaceSaving.Address address) {
    return address.version() == 4
        ? Ipv4Address.format((int) address.low())
        : new Ipv6Address(address.high(), address.low()).toString();
  }
}
