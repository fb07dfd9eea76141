package io.linerate.fabric;

/**
 * What the shim was compiled with: libfabric's version, struct offsets and sizes, in the order of
 * {@code lrf_layout} in linerate_fabric.c. Java reads and writes by constants, so a shim with other
 * ones is refused.
 */
final class FabricLayout {
  private static final int MAJOR = 0;
  private static final int MINOR = 1;

  /** Values from the third on that must be the same on both sides. */
  private static final long[] EXPECTED = {
    WorkLayout.BYTES,
    WorkLayout.SEGMENTS_AT_MOST,
    WorkLayout.OPERATION,
    WorkLayout.SEGMENTS,
    WorkLayout.FLAGS,
    WorkLayout.PEER,
    WorkLayout.TAG,
    WorkLayout.IGNORED_BITS,
    WorkLayout.DATA,
    WorkLayout.REMOTE_ADDRESS,
    WorkLayout.REMOTE_KEY,
    WorkLayout.DATATYPE,
    WorkLayout.ATOMIC,
    WorkLayout.ELEMENTS,
    WorkLayout.ID,
    WorkLayout.IOV,
    WorkLayout.DESCRIPTORS,
    WorkLayout.RESULT,
    WorkLayout.RESULT_DESCRIPTOR,
    WorkLayout.COMPARE,
    WorkLayout.COMPARE_DESCRIPTOR,
    WorkLayout.IOV_BYTES,
    WorkLayout.IOV_LENGTH,
    CompletionLayout.BYTES,
    CompletionLayout.CONTEXT,
    CompletionLayout.FLAGS,
    CompletionLayout.LENGTH,
    CompletionLayout.BUFFER,
    CompletionLayout.DATA,
    CompletionLayout.TAG,
    InfoRequest.BYTES,
    InfoRequest.SOURCE,
    EventQueue.EVENT_BYTES,
    EventQueue.DATA,
    CompletionLayout.FAILURE_BYTES,
    CompletionLayout.FAILURE_TEXT,
    PostBatch.POSTS,
    PostBatch.POST_BYTES,
  };

  static final int COUNT = 2 + EXPECTED.length;

  private final long[] values;

  FabricLayout(long... values) {
    this.values = values.clone();
  }

  /** A layout as this side expects it, of a shim built with a version of libfabric. */
  static FabricLayout expected(int major, int minor) {
    long[] values = new long[COUNT];
    values[MAJOR] = major;
    values[MINOR] = minor;
    System.arraycopy(EXPECTED, 0, values, 2, EXPECTED.length);
    return new FabricLayout(values);
  }

  /** The same with one value changed. */
  FabricLayout with(int index, long value) {
    FabricLayout changed = new FabricLayout(values);
    changed.values[index] = value;
    return changed;
  }

  /**
   * Why this layout cannot be used with the libfabric that is there; "" if it can. Its ABI only
   * grows: a newer one runs what was built with an older one (libfabric's fabric(7), ABI changes).
   *
   * @param runTimeVersion as {@code fi_version} returns it: major in the upper 16 bits
   */
  String problem(int runTimeVersion) {
    if (values.length != COUNT) {
      return "reason=the libfabric shim is of another Linerate: values=%d, expected=%d; build again"
          .formatted(values.length, COUNT);
    }
    for (int i = 0; i < EXPECTED.length; i++) {
      if (values[2 + i] != EXPECTED[i]) {
        return "reason=the libfabric shim has another layout: value=%d, compiled=%d, expected=%d; build again"
            .formatted(2 + i, values[2 + i], EXPECTED[i]);
      }
    }
    int major = runTimeVersion >>> 16;
    int minor = runTimeVersion & 0xFFFF;
    if (major == values[MAJOR] && minor >= values[MINOR]) {
      return "";
    }
    return "reason=the libfabric shim was built with a newer libfabric: built=%d.%d, found=%d.%d; install that one, or build again"
        .formatted(values[MAJOR], values[MINOR], major, minor);
  }
}
