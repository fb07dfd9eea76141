package io.linerate.bench.crossing;

import java.util.Locale;

/** The contestants; the benchmark methods' names end with theirs. */
enum Way {
  JAVA("java"),
  JNI("jni"),
  JNI_LOOKUP("jni with lookup"),
  JNI_COPY("jni with copy"),
  FFM("ffm"),
  CRITICAL("ffm critical");

  private final String title;

  Way(String title) {
    this.title = title;
  }

  String title() {
    return title;
  }

  /** The way of a method. */
  static Way of(String method) {
    String ending =
        method
            .substring(method.indexOf('_') + 1)
            .replaceAll("([A-Z])", "_$1")
            .toUpperCase(Locale.ROOT);
    return valueOf(ending);
  }
}
