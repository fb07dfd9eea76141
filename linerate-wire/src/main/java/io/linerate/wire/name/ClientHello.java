package io.linerate.wire.name;

import io.linerate.core.memory.ByteView;

/**
 * The server's name in TLS, RFC 6066 section 3: an extension of the message that a client begins
 * with, RFC 8446 section 4.1.2, in one record or more of them (section 5.1).
 *
 * <pre>
 *  records     type 8 (22) | version 16 (3.x) | length 16 | part of the message
 *  message     type 8 (1) | length 24 | version 16 | random 256 | session: length 8, bytes
 *              cipher suites: length 16, bytes | compression: length 8, bytes
 *              extensions: length 16, and each: type 16 | length 16 | bytes
 *  extension 0 length 16 | type 8 (0) | length 16 | name
 * </pre>
 *
 * <p>The message is read when all of it is there. One that is longer than what is looked at, in
 * more than {@value #MOST_RECORDS} records, or that has two names, is malformed.
 */
public final class ClientHello implements NameReader {
  static final int MOST_RECORDS = 64;

  private static final int RECORD_HEADER_BYTES = 5;
  private static final int MAJOR_VERSION = 3;
  private static final int CHANGE_CIPHER_SPEC = 20;
  private static final int ALERT = 21;
  private static final int HANDSHAKE = 22;

  /** RFC 5246, section 6.2.3; of what is not encrypted 16,384. */
  private static final int MAX_RECORD_BYTES = 16_384;

  private static final int CLIENT_HELLO = 1;
  private static final int MESSAGE_HEADER_BYTES = 4;
  private static final int VERSION_AND_RANDOM_BYTES = 34;
  private static final int SERVER_NAME = 0;
  private static final int HOST_NAME = 0;

  private final DomainName name = new DomainName();

  /** The message, once it is put together. */
  private final byte[] message = new byte[MOST_BYTES];

  /** How many bytes there have to be at least. */
  private int needed;

  // While it is read.
  private int record;
  private int there;
  private int length;
  private int at;
  private boolean isBroken;

  @Override
  public NameSearch read(ByteView bytes, int progress) {
    int limit = Math.min(bytes.length(), MOST_BYTES);
    there = 0;
    length = MESSAGE_HEADER_BYTES;
    needed = progress;
    NameSearch search = collect(bytes, limit);
    if (search == NameSearch.NEEDS_MORE && limit >= progress) {
      // What the message lacks, unless the next record shows something before.
      int missing = there == 0 ? 1 : length - there;
      needed = Math.max(limit + 1, Math.min(limit + missing, record));
    }
    return search == NameSearch.FOUND ? readMessage() : search;
  }

  /** Puts the message together. */
  private NameSearch collect(ByteView bytes, int limit) {
    record = 0;
    for (int i = 0; i < MOST_RECORDS; i++) {
      if (limit - record > 1 && bytes.u8(record + 1) != MAJOR_VERSION) {
        return i == 0 ? NameSearch.NONE : NameSearch.MALFORMED;
      }
      int type = limit > record ? bytes.u8(record) : HANDSHAKE;
      // Servers pass over some that come before the message.
      boolean isPassedOver = there == 0 && (type == ALERT || type == CHANGE_CIPHER_SPEC);
      if (type != HANDSHAKE && !isPassedOver) {
        return i == 0 ? NameSearch.NONE : NameSearch.MALFORMED;
      }
      if (limit - record < RECORD_HEADER_BYTES || limit < needed) {
        return NameSearch.NEEDS_MORE;
      }
      int from = record + RECORD_HEADER_BYTES;
      record = from + bytes.u16(from - 2);
      if (record - from > MAX_RECORD_BYTES) {
        return NameSearch.MALFORMED;
      }
      if (!isPassedOver) {
        NameSearch search = take(bytes, from, Math.min(record, limit));
        if (search != NameSearch.NEEDS_MORE) {
          return search;
        }
      }
      if (record > limit) {
        return NameSearch.NEEDS_MORE;
      }
    }
    return NameSearch.MALFORMED;
  }

  /** Takes what a record has of the message: {@link NameSearch#FOUND} if that is all of it. */
  private NameSearch take(ByteView bytes, int from, int to) {
    for (int i = from; i < to; i++) {
      message[there++] = (byte) bytes.u8(i);
      if (there == 1 && message[0] != CLIENT_HELLO) {
        return NameSearch.NONE;
      }
      if (there == MESSAGE_HEADER_BYTES) {
        length = MESSAGE_HEADER_BYTES + (u8(1) << 16 | u16(2));
        if (length > MOST_BYTES - RECORD_HEADER_BYTES) {
          return NameSearch.MALFORMED;
        }
      }
      if (there == length && there > MESSAGE_HEADER_BYTES) {
        return NameSearch.FOUND;
      }
    }
    boolean isEmpty = there == MESSAGE_HEADER_BYTES && length == there;
    return isEmpty ? NameSearch.MALFORMED : NameSearch.NEEDS_MORE;
  }

  private int u8(int index) {
    return message[index] & 0xFF;
  }

  private int u16(int index) {
    return u8(index) << Byte.SIZE | u8(index + 1);
  }

  private NameSearch readMessage() {
    isBroken = false;
    at = MESSAGE_HEADER_BYTES + VERSION_AND_RANDOM_BYTES;
    pass(1);
    pass(2);
    pass(1);
    if (!isBroken && at == length) {
      return NameSearch.NONE; // As before there were extensions.
    }
    int extensions = lengthField(2, length);
    if (isBroken || at + extensions != length) {
      return NameSearch.MALFORMED;
    }
    return readExtensions();
  }

  /** Over a field of that many bytes, and as many as it says. */
  private void pass(int fieldBytes) {
    int count = lengthField(fieldBytes, length);
    at += count;
  }

  /** A field of that many bytes, which says how many follow; these are there. */
  private int lengthField(int fieldBytes, int end) {
    if (isBroken || at + fieldBytes > end) {
      isBroken = true;
      return 0;
    }
    int count = fieldBytes == 1 ? u8(at) : u16(at);
    at += fieldBytes;
    isBroken = at + count > end;
    return isBroken ? 0 : count;
  }

  private NameSearch readExtensions() {
    NameSearch search = NameSearch.NONE;
    while (at < length) {
      if (at + 4 > length) {
        return NameSearch.MALFORMED;
      }
      int type = u16(at);
      at += 2;
      int next = lengthField(2, length) + at;
      if (isBroken) {
        return NameSearch.MALFORMED;
      }
      if (type == SERVER_NAME) {
        if (search == NameSearch.FOUND || !readName(next)) {
          return NameSearch.MALFORMED;
        }
        search = NameSearch.FOUND;
      }
      at = next;
    }
    return search;
  }

  /** Of the list the only name. */
  private boolean readName(int end) {
    int list = lengthField(2, end);
    if (isBroken || at + list != end || list == 0 || u8(at++) != HOST_NAME) {
      return false;
    }
    int count = lengthField(2, end);
    if (isBroken || at + count != end) {
      return false;
    }
    name.clear();
    for (int i = 0; i < count; i++) {
      if (!name.add(u8(at + i))) {
        return false;
      }
    }
    return name.finish();
  }

  @Override
  public int progress() {
    return needed;
  }

  @Override
  public DomainName name() {
    return name;
  }
}
