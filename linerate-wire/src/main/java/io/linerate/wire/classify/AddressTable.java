package io.linerate.wire.classify;

import io.linerate.wire.IpPrefix;
import io.linerate.wire.Ipv6Prefix;
import io.linerate.wire.route.Ipv6Routes;
import java.util.List;
import java.util.function.IntToLongFunction;

/** A word for each address. Immutable: any thread. */
sealed interface AddressTable {
  /** Finds the words of the sources of a batch. */
  void findSources(FlowBatch batch, long[] found);

  /** Finds the words of its destinations. */
  void findDestinations(FlowBatch batch, long[] found);

  /** How many bytes it has, about. */
  long bytes();

  /** In two loops: what comes from memory comes together. */
  record OfIpv4(Ipv4Table table) implements AddressTable {
    @Override
    public void findSources(FlowBatch batch, long[] found) {
      long[] addresses = batch.addresses;
      int[] places = batch.places;
      int count = batch.count();
      for (int i = 0; i < count; i++) {
        places[i] = table.lowest((int) (addresses[i] >>> Integer.SIZE));
      }
      for (int i = 0; i < count; i++) {
        found[i] = table.value((int) (addresses[i] >>> Integer.SIZE), places[i]);
      }
    }

    @Override
    public void findDestinations(FlowBatch batch, long[] found) {
      long[] addresses = batch.addresses;
      int[] places = batch.places;
      int count = batch.count();
      for (int i = 0; i < count; i++) {
        places[i] = table.lowest((int) addresses[i]);
      }
      for (int i = 0; i < count; i++) {
        found[i] = table.value((int) addresses[i], places[i]);
      }
    }

    @Override
    public long bytes() {
      return table.bytes();
    }
  }

  /** By the number of the longest prefix. */
  final class OfIpv6 implements AddressTable {
    /** Of a prefix in the trie, its share of nodes included: measured. */
    private static final long BYTES_A_PREFIX = 176;

    private final Ipv6Routes numbers = new Ipv6Routes();
    private final long[] words;

    /**
     * @param prefixes the first is that of all addresses
     * @param values for each by its place
     */
    OfIpv6(List<IpPrefix> prefixes, IntToLongFunction values) {
      words = new long[prefixes.size()];
      for (int i = 0; i < words.length; i++) {
        words[i] = values.applyAsLong(i);
        numbers.put((Ipv6Prefix) prefixes.get(i), i);
      }
    }

    @Override
    public void findSources(FlowBatch batch, long[] found) {
      find(batch.addresses, batch.sourceLow, batch.count(), found);
    }

    @Override
    public void findDestinations(FlowBatch batch, long[] found) {
      find(batch.destinationHigh, batch.destinationLow, batch.count(), found);
    }

    private void find(long[] high, long[] low, int count, long[] found) {
      for (int i = 0; i < count; i++) {
        found[i] = words[numbers.lookUp(high[i], low[i])];
      }
    }

    @Override
    public long bytes() {
      return words.length * (Long.BYTES + BYTES_A_PREFIX);
    }
  }
}
