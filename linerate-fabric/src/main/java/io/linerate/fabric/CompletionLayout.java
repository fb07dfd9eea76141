package io.linerate.fabric;

/**
 * Offsets in {@code struct fi_cq_tagged_entry} (fi_eq.h) and in {@code struct failure} of
 * linerate_fabric.c.
 */
final class CompletionLayout {
  static final int CONTEXT = 0;
  static final int FLAGS = CONTEXT + Long.BYTES;
  static final int LENGTH = FLAGS + Long.BYTES;
  static final int BUFFER = LENGTH + Long.BYTES;
  static final int DATA = BUFFER + Long.BYTES;
  static final int TAG = DATA + Long.BYTES;
  static final int BYTES = TAG + Long.BYTES;

  static final int FAILURE_CONTEXT = 0;
  static final int FAILURE_FLAGS = FAILURE_CONTEXT + Long.BYTES;
  static final int FAILURE_ERROR = FAILURE_FLAGS + Long.BYTES;
  static final int FAILURE_PROVIDER_ERROR = FAILURE_ERROR + Long.BYTES;
  static final int FAILURE_LENGTH = FAILURE_PROVIDER_ERROR + Long.BYTES;
  static final int FAILURE_EXCESS = FAILURE_LENGTH + Long.BYTES;
  static final int FAILURE_TAG = FAILURE_EXCESS + Long.BYTES;
  static final int FAILURE_WANTS_TEXT = FAILURE_TAG + Long.BYTES;
  static final int FAILURE_TEXT = FAILURE_WANTS_TEXT + Long.BYTES;
  static final int FAILURE_BYTES = FAILURE_TEXT + 128;

  private CompletionLayout() {}
}
