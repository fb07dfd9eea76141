package io.linerate.bench.fabric;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Messages that both ends know: so many of each size, one size after the other.
 *
 * @param each of each size
 */
record TwinMessages(long seed, int each, List<Integer> sizes) {
  int count() {
    return each * sizes.size();
  }

  int bytes(int number) {
    return sizes.get(number / each);
  }

  int most() {
    return sizes.stream().mapToInt(Integer::intValue).max().orElse(0);
  }

  /** For the C program. */
  List<String> options() {
    String all = sizes.stream().map(String::valueOf).collect(Collectors.joining(","));
    return Arrays.asList(
        "--seed",
        String.valueOf(seed),
        "--count",
        String.valueOf(each),
        "--size",
        all,
        "--wait",
        "yield");
  }
}
