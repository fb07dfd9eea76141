package io.linerate.bench.language;

/** The programs, in the order of the report: with their names there. */
@SuppressWarnings("ImmutableEnumChecker") // The programs are constants.
enum Language {
  C("C", LanguageLibrary::c),
  C_MALLOC("C, packets from malloc", LanguageLibrary::malloc),
  JAVA("Java", Programs::java),
  JNI("Java through JNI", Programs::jni),
  FFM("Java through FFM", Programs::ffm),
  FFM_CRITICAL("Java through FFM, critical", Programs::ffmCritical),
  FFM_BURSTS("Java through FFM, 32 packets a call", Programs::ffmBursts);

  private final String title;
  private final Program program;

  Language(String title, Program program) {
    this.title = title;
    this.program = program;
  }

  String title() {
    return title;
  }

  Program program() {
    return program;
  }

  boolean isC() {
    return this == C || this == C_MALLOC;
  }
}
