package io.linerate.wire;

/**
 * The pieces of one packet that have come in fragments: whose they are, where each belongs, and
 * whether they are all (RFC 815 and RFC 5722 say when). The bytes are elsewhere: pieces have
 * numbers, 0, 1, 2 and so on, as they came.
 *
 * <pre>{@code
 * if (pieces.fit(fragment) == FragmentFit.NEW && pieces.add(fragment)) {
 *   for (int i = 0; i < pieces.count(); i++) {
 *     int number = pieces.inOrder(i);
 *     ...
 *   }
 * }
 * }</pre>
 *
 * <p>Used again and again, it makes no object.
 */
public final class FragmentPieces {
  private static final int UNKNOWN = -1;

  private final int[] starts;
  private final int[] ends;
  private final int[] payloadOffsets;

  /** Their numbers, in the order of their places. */
  private final int[] order;

  private int count;
  private int received;

  /** Bytes of the whole behind the headers; known from the last piece. */
  private int total = UNKNOWN;

  private long sourceHigh;
  private long sourceLow;
  private long destinationHigh;
  private long destinationLow;
  private long key;
  private long link;

  // Of the first fragment, whose headers are those of the whole.
  private int headerBytes;
  private int protocol;

  /**
   * @param capacity pieces at most
   */
  public FragmentPieces(int capacity) {
    starts = new int[capacity];
    ends = new int[capacity];
    payloadOffsets = new int[capacity];
    order = new int[capacity];
  }

  /** Forgets all pieces; those that come are of the packet of a fragment. */
  public void begin(FragmentView fragment) {
    clear();
    sourceHigh = fragment.sourceHigh;
    sourceLow = fragment.sourceLow;
    destinationHigh = fragment.destinationHigh;
    destinationLow = fragment.destinationLow;
    key = fragment.key;
    link = fragment.link;
  }

  /** Forgets all pieces. */
  public void clear() {
    count = 0;
    received = 0;
    total = UNKNOWN;
    headerBytes = 0;
    protocol = 0;
  }

  /** Whether a fragment is of the packet that it began with. */
  public boolean isOf(FragmentView fragment) {
    return key == fragment.key
        && link == fragment.link
        && sourceLow == fragment.sourceLow
        && sourceHigh == fragment.sourceHigh
        && destinationLow == fragment.destinationLow
        && destinationHigh == fragment.destinationHigh;
  }

  /** Says how a fragment of this packet stands to those that are here. */
  public FragmentFit fit(FragmentView fragment) {
    int place = place(fragment.offset());
    if (isRepetition(place, fragment)) {
      return FragmentFit.REPETITION;
    }
    if (contradicts(place, fragment)) {
      return FragmentFit.CONTRADICTION;
    }
    return count == starts.length ? FragmentFit.NO_ROOM : FragmentFit.NEW;
  }

  /**
   * Adds a fragment that is {@link FragmentFit#NEW}: its number is what {@link #count} was.
   *
   * @return whether it was the one that was missing
   */
  public boolean add(FragmentView fragment) {
    int place = place(fragment.offset());
    System.arraycopy(order, place, order, place + 1, count - place);
    order[place] = count;
    starts[count] = fragment.offset();
    ends[count] = fragment.offset() + fragment.bytes();
    payloadOffsets[count] = fragment.payloadOffset();
    received += fragment.bytes();
    if (!fragment.hasMore()) {
      total = ends[count];
    }
    if (fragment.offset() == 0) {
      headerBytes = fragment.countedHeaderBytes();
      protocol = fragment.protocol();
    }
    count++;
    return received == total;
  }

  /** How many of the pieces begin before an offset: most come in their order. */
  private int place(int offset) {
    if (count == 0 || starts[order[count - 1]] < offset) {
      return count;
    }
    int low = 0;
    int high = count - 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (starts[order[middle]] < offset) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private boolean isRepetition(int place, FragmentView fragment) {
    if (place == count) {
      return false;
    }
    int next = order[place];
    boolean isLast = ends[next] == total;
    return starts[next] == fragment.offset()
        && ends[next] == fragment.offset() + fragment.bytes()
        && isLast != fragment.hasMore();
  }

  private boolean contradicts(int place, FragmentView fragment) {
    int end = fragment.offset() + fragment.bytes();
    if (place > 0 && ends[order[place - 1]] > fragment.offset()) {
      return true;
    }
    if (place < count && (starts[order[place]] < end || !fragment.hasMore())) {
      return true;
    }
    return total != UNKNOWN && (end > total || !fragment.hasMore());
  }

  /** Pieces that have come. */
  public int count() {
    return count;
  }

  /** The number of the piece that stands at {@code index} in the order of their places. */
  public int inOrder(int index) {
    return order[index];
  }

  /** Offset in its packet of a piece. */
  public int payloadOffset(int number) {
    return payloadOffsets[number];
  }

  /** Length of a piece. */
  public int bytes(int number) {
    return ends[number] - starts[number];
  }

  /** Bytes of the whole behind the headers, when all pieces have come. */
  public int totalBytes() {
    return total;
  }

  /**
   * What the length field of the whole has to say, when all pieces have come: the total length of
   * IPv4, the payload length of IPv6. More than 65,535 cannot be.
   */
  public int lengthField() {
    return total + headerBytes;
  }

  /** Whether the whole would be longer than IP allows, when all pieces have come. */
  public boolean isTooLong() {
    return lengthField() > FragmentView.MAX_IP_BYTES;
  }

  /** What the whole begins with, behind its headers: as the first fragment says. */
  public int protocol() {
    return protocol;
  }
}
