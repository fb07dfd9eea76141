package io.linerate.wire.name;

import io.linerate.core.memory.ByteView;

/**
 * The name that a message asks DNS for, RFC 1035 section 4.1: as UDP carries it, or TCP, where two
 * bytes with its length stand before (section 4.2.2).
 *
 * <pre>
 *   0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15
 *  +--+--+--+--+--+--+--+--+--+--+--+--+--+--+--+--+
 *  |                      ID                       |
 *  +--+--+--+--+--+--+--+--+--+--+--+--+--+--+--+--+
 *  |QR|   Opcode  |AA|TC|RD|RA|   Z    |   RCODE   |
 *  +--+--+--+--+--+--+--+--+--+--+--+--+--+--+--+--+
 *  |                    QDCOUNT                    |
 *  +--+--+--+--+--+--+--+--+--+--+--+--+--+--+--+--+
 *  |                    ANCOUNT                    |
 *  +--+--+--+--+--+--+--+--+--+--+--+--+--+--+--+--+
 *  |                    NSCOUNT                    |
 *  +--+--+--+--+--+--+--+--+--+--+--+--+--+--+--+--+
 *  |                    ARCOUNT                    |
 *  +--+--+--+--+--+--+--+--+--+--+--+--+--+--+--+--+
 *  |      QNAME ..., QTYPE (16), QCLASS (16)       |
 *  +--+--+--+--+--+--+--+--+--+--+--+--+--+--+--+--+
 * </pre>
 *
 * <p>Over UDP, what is no question has no name; over TCP it is malformed, since a question may
 * follow. Several questions in a message are malformed, too (RFC 9619): servers would have to
 * choose. Pointers lead to what stands before them, as servers have it; any other is malformed.
 */
public final class DnsQuestion implements NameReader {
  public static final int PORT = 53;

  private static final int FLAGS = 2;
  private static final int QUESTIONS = FLAGS + 2;
  private static final int ANSWERS = QUESTIONS + 2;
  private static final int AUTHORITIES = ANSWERS + 2;
  private static final int HEADER_BYTES = AUTHORITIES + 4;

  /** The shortest question: the root's. */
  private static final int MIN_BYTES = HEADER_BYTES + 5;

  private static final int RESPONSE = 0x80;
  private static final int RESPONSE_OR_OPCODE = 0xF8;
  private static final int TYPE_AND_CLASS_BYTES = 4;
  private static final int KIND = 0xC0;
  private static final int POINTER = 0xC0;

  private final boolean isOverTcp;
  private final DomainName name = new DomainName();

  /** Where the message begins. */
  private final int start;

  // Of the bytes that are read: how many there are, and how many the message has.
  private int limit;
  private int end;

  /**
   * @param isOverTcp whether the length of the message stands before it
   */
  public DnsQuestion(boolean isOverTcp) {
    this.isOverTcp = isOverTcp;
    start = isOverTcp ? Short.BYTES : 0;
  }

  /**
   * Whether bytes over TCP may begin a usual question, as far as they are there: what other
   * protocols hardly ever begin with.
   */
  static boolean isLikely(ByteView bytes) {
    int there = bytes.length() - Short.BYTES;
    return (there < 0 || bytes.u16(0) >= MIN_BYTES)
        && (there <= FLAGS || (bytes.u8(Short.BYTES + FLAGS) & RESPONSE_OR_OPCODE) == 0)
        && isCount(bytes, there, QUESTIONS, 1)
        && isCount(bytes, there, ANSWERS, 0)
        && isCount(bytes, there, AUTHORITIES, 0);
  }

  private static boolean isCount(ByteView bytes, int there, int field, int count) {
    return there < field + Short.BYTES || bytes.u16(Short.BYTES + field) == count;
  }

  @Override
  public NameSearch read(ByteView bytes, int progress) {
    limit = Math.min(bytes.length(), MOST_BYTES);
    if (limit < start + HEADER_BYTES) {
      return isOverTcp ? NameSearch.NEEDS_MORE : NameSearch.NONE;
    }
    end = isOverTcp ? start + bytes.u16(0) : limit;
    boolean isResponse = (bytes.u8(start + FLAGS) & RESPONSE) != 0;
    int questions = bytes.u16(start + QUESTIONS);
    if (isResponse || questions == 0 || end < start + HEADER_BYTES) {
      return isOverTcp ? NameSearch.MALFORMED : NameSearch.NONE;
    }
    return questions == 1 ? readName(bytes) : NameSearch.MALFORMED;
  }

  private NameSearch readName(ByteView bytes) {
    name.clear();
    int at = start + HEADER_BYTES;
    int lowest = at;
    int behind = -1;
    while (true) {
      if (at + 2 > Math.min(end, limit)) { // At least a zero, and what comes behind.
        return missing(at + 2);
      }
      int length = bytes.u8(at);
      if (length == 0) {
        behind = behind < 0 ? at + 1 : behind;
        break;
      }
      if ((length & KIND) == POINTER) {
        int target = start + (bytes.u16(at) & ~(KIND << Byte.SIZE));
        if (target >= lowest) {
          return NameSearch.MALFORMED;
        }
        behind = behind < 0 ? at + 2 : behind;
        lowest = target;
        at = target;
      } else if ((length & KIND) != 0) {
        return NameSearch.MALFORMED;
      } else if (at + 1 + length > Math.min(end, limit)) {
        return missing(at + 1 + length);
      } else if (!addLabel(bytes, at + 1, length)) {
        return NameSearch.MALFORMED;
      } else {
        at += 1 + length;
      }
    }
    if (behind + TYPE_AND_CLASS_BYTES > Math.min(end, limit)) {
      return missing(behind + TYPE_AND_CLASS_BYTES);
    }
    return name.length() == 0 ? NameSearch.NONE : NameSearch.FOUND;
  }

  /** What it means that there are fewer bytes than this. */
  private NameSearch missing(int needed) {
    return needed > end ? NameSearch.MALFORMED : NameSearch.NEEDS_MORE;
  }

  private boolean addLabel(ByteView bytes, int at, int length) {
    boolean fits = name.length() == 0 || name.addAny('.');
    for (int i = 0; fits && i < length; i++) {
      int each = bytes.u8(at + i);
      fits = name.addAny(each == '.' ? DomainName.LABEL_DOT : each);
    }
    return fits;
  }

  @Override
  public int progress() {
    return 0;
  }

  @Override
  public DomainName name() {
    return name;
  }
}
