package io.linerate.fabric;

/**
 * Offsets in {@code struct work} of linerate_fabric.c, by which a {@link Descriptor} writes what it
 * asks for. Host byte order.
 *
 * <pre>
 *    0 +-----------------------------+
 *      | the provider's (fi_context2)|  64 bytes
 *   64 +--------------+--------------+
 *      | operation    | segments     |
 *   72 +--------------+--------------+
 *      | flags                       |
 *   80 | peer                        |
 *   88 | tag                         |
 *   96 | ignored bits of the tag     |
 *  104 | immediate data              |
 *  112 | remote address              |
 *  120 | remote key                  |
 *  128 +--------------+--------------+
 *      | data type    | atomic       |
 *  136 +--------------+--------------+
 *      | elements                    |
 *  144 | id                          |
 *  152 +-----------------------------+
 *      | 8 struct iovec              |  address, length
 *  280 | 8 descriptors of regions    |
 *  344 | result, its descriptor      |
 *  360 | compare, its descriptor     |
 *  376 +-----------------------------+
 * </pre>
 */
final class WorkLayout {
  static final int SEGMENTS_AT_MOST = 8;
  static final int OPERATION = 64;
  static final int SEGMENTS = OPERATION + Integer.BYTES;
  static final int FLAGS = SEGMENTS + Integer.BYTES;
  static final int PEER = FLAGS + Long.BYTES;
  static final int TAG = PEER + Long.BYTES;
  static final int IGNORED_BITS = TAG + Long.BYTES;
  static final int DATA = IGNORED_BITS + Long.BYTES;
  static final int REMOTE_ADDRESS = DATA + Long.BYTES;
  static final int REMOTE_KEY = REMOTE_ADDRESS + Long.BYTES;
  static final int DATATYPE = REMOTE_KEY + Long.BYTES;
  static final int ATOMIC = DATATYPE + Integer.BYTES;
  static final int ELEMENTS = ATOMIC + Integer.BYTES;
  static final int ID = ELEMENTS + Long.BYTES;
  static final int IOV = ID + Long.BYTES;
  static final int IOV_LENGTH = Long.BYTES;
  static final int IOV_BYTES = IOV_LENGTH + Long.BYTES;
  static final int DESCRIPTORS = IOV + SEGMENTS_AT_MOST * IOV_BYTES;
  static final int RESULT = DESCRIPTORS + SEGMENTS_AT_MOST * Long.BYTES;
  static final int RESULT_DESCRIPTOR = RESULT + Long.BYTES;
  static final int COMPARE = RESULT_DESCRIPTOR + Long.BYTES;
  static final int COMPARE_DESCRIPTOR = COMPARE + Long.BYTES;
  static final int BYTES = COMPARE_DESCRIPTOR + Long.BYTES;

  /** From one to the next: a power of two, so that an address tells which it is. */
  static final int STRIDE_SHIFT = 9;

  private WorkLayout() {}
}
