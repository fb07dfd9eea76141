package io.linerate.bench.fabric;

import io.linerate.bench.suite.Result;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/** An object made bytes and made of bytes again, by what Java has for it. */
final class SerialisationCases {
  private static final String SOURCE = "2015, an object like it";
  private static final List<Result.Theirs> THEIRS =
      List.of(
          new Result.Theirs(SOURCE, "java.io", 14_500),
          new Result.Theirs(SOURCE, "ByteBuffer", 360),
          new Result.Theirs(SOURCE, "Unsafe", 80));

  private SerialisationCases() {}

  static List<LoopCase> all() {
    SequencedMap<String, List<String>> variants = new LinkedHashMap<>();
    for (String variant :
        List.of("segment", "java.io", "heap-buffer", "direct-buffer", "segment-arrays")) {
      variants.put(variant, List.of(SerialisationLoop.class.getName(), variant));
    }
    String title = Part.SERIALISATION.title() + ", an object of %d B".formatted(OrderLayout.BYTES);
    return List.of(new LoopCase(title, variants, List.copyOf(variants.sequencedKeySet()), THEIRS));
  }
}
