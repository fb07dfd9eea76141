package io.linerate.stream.net;

import io.linerate.stream.codec.AeadAlgorithm;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import javax.crypto.spec.SecretKeySpec;

/**
 * The messages that sessions begin with: docs/stream-protocol.md has their layout. Each has a code
 * that who does not know the key cannot make.
 */
final class Handshake {
  private static final int MODE_AT = 1;
  private static final int ALGORITHM_AT = 2;
  private static final int SALT_AT = 12;
  private static final int STREAM_AT = 44;
  private static final int OFFSET_AT = 60;
  private static final int CREDIT_AT = 68;
  private static final int COOKIE_AT = 76;
  private static final int INIT_CODE_AT = COOKIE_AT + Bits256.BYTES;
  static final int INIT_BYTES = INIT_CODE_AT + LinkKey.CODE_BYTES;

  private static final int RETRY_COOKIE_AT = 12;
  private static final int RETRY_CODE_AT = RETRY_COOKIE_AT + Bits256.BYTES;
  static final int RETRY_BYTES = RETRY_CODE_AT + LinkKey.CODE_BYTES;

  private static final int SERVER_AT = 12;
  private static final int SERVER_SALT_AT = 20;
  private static final int RESUME_AT = 52;
  private static final int RESUME_CREDIT_AT = 60;
  private static final int ACCEPT_CODE_AT = 68;
  static final int ACCEPT_BYTES = ACCEPT_CODE_AT + LinkKey.CODE_BYTES;

  private static final int REFUSAL_CODE_AT = 12;

  /** Of RESET and FULL. */
  static final int REFUSAL_BYTES = REFUSAL_CODE_AT + LinkKey.CODE_BYTES;

  private static final int RELIABLE = 0;
  private static final int BEST_EFFORT = 1;
  private static final int CHECKSUM = 0;
  private static final int AES = 1;
  private static final int CHACHA = 2;

  private Handshake() {}

  /**
   * Asks for a session.
   *
   * @param algorithm none: datagrams have a checksum only
   * @param clientId that datagrams to the sender of this have
   * @param offset the first byte that can be sent of the stream
   * @param credit bytes of answers that there is room for
   * @param cookie of the other side's answer to the first one, where it is all 0
   */
  record Init(
      boolean isReliable,
      Optional<AeadAlgorithm> algorithm,
      long clientId,
      Bits256 salt,
      StreamId stream,
      long offset,
      long credit,
      Bits256 cookie) {

    boolean hasCookie() {
      return !cookie.equals(Bits256.ZERO);
    }

    Init withCookie(Bits256 next) {
      return new Init(isReliable, algorithm, clientId, salt, stream, offset, credit, next);
    }

    /** All but the cookie. */
    byte[] bytes() {
      ByteBuffer bytes = ByteBuffer.allocate(COOKIE_AT);
      bytes.put(0, (byte) Wire.first(Wire.INIT));
      bytes.put(MODE_AT, (byte) (isReliable ? RELIABLE : BEST_EFFORT));
      bytes.put(ALGORITHM_AT, (byte) code(algorithm));
      bytes.putLong(Wire.ID_AT, clientId);
      bytes.put(SALT_AT, salt.bytes());
      bytes.putLong(STREAM_AT, stream.high()).putLong(STREAM_AT + Long.BYTES, stream.low());
      bytes.putLong(OFFSET_AT, offset);
      bytes.putLong(CREDIT_AT, credit);
      return bytes.array();
    }
  }

  private static int code(Optional<AeadAlgorithm> algorithm) {
    return algorithm
        .map(one ->
            switch (one) {
              case AES_256_GCM -> AES;
              case CHACHA20_POLY1305 -> CHACHA;
            })
        .orElse(CHECKSUM);
  }

  static void write(Datagram datagram, Init init, LinkKey key) {
    datagram.set(0, init.bytes());
    datagram.set(COOKIE_AT, init.cookie().bytes());
    seal(datagram, INIT_CODE_AT, key);
  }

  /** Reads one whose code is right; none: it is something else. */
  static Optional<Init> readInit(Datagram datagram, LinkKey key) {
    int mode = datagram.u8(MODE_AT);
    int algorithm = datagram.u8(ALGORITHM_AT);
    boolean isSound =
        datagram.length() == INIT_BYTES
            && mode <= BEST_EFFORT
            && algorithm <= CHACHA
            && datagram.u8(3) == 0
            && datagram.u64(OFFSET_AT) >= 0
            && datagram.u64(CREDIT_AT) >= 0
            && isSealed(datagram, INIT_CODE_AT, key);
    if (!isSound) {
      return Optional.empty();
    }
    return Optional.of(
        new Init(
            mode == RELIABLE,
            switch (algorithm) {
              case AES -> Optional.of(AeadAlgorithm.AES_256_GCM);
              case CHACHA -> Optional.of(AeadAlgorithm.CHACHA20_POLY1305);
              default -> Optional.empty();
            },
            datagram.u64(Wire.ID_AT),
            Bits256.read(datagram, SALT_AT),
            new StreamId(datagram.u64(STREAM_AT), datagram.u64(STREAM_AT + Long.BYTES)),
            datagram.u64(OFFSET_AT),
            datagram.u64(CREDIT_AT),
            Bits256.read(datagram, COOKIE_AT)));
  }

  static void writeRetry(Datagram datagram, long clientId, Bits256 cookie, LinkKey key) {
    begin(datagram, Wire.RETRY, clientId);
    datagram.set(RETRY_COOKIE_AT, cookie.bytes());
    seal(datagram, RETRY_CODE_AT, key);
  }

  /** The cookie of one whose code is right. */
  static Optional<Bits256> readRetry(Datagram datagram, LinkKey key) {
    return datagram.length() == RETRY_BYTES && isSealed(datagram, RETRY_CODE_AT, key)
        ? Optional.of(Bits256.read(datagram, RETRY_COOKIE_AT))
        : Optional.empty();
  }

  /**
   * Grants a session.
   *
   * @param serverId that datagrams to the sender of this have
   * @param offset below which all of the stream has come
   * @param credit offset below which there is room
   */
  record Accept(long serverId, Bits256 salt, long offset, long credit) {}

  static void write(Datagram datagram, Init init, Accept accept, LinkKey key) {
    begin(datagram, Wire.ACCEPT, init.clientId());
    datagram.u64(SERVER_AT, accept.serverId());
    datagram.set(SERVER_SALT_AT, accept.salt().bytes());
    datagram.u64(RESUME_AT, accept.offset());
    datagram.u64(RESUME_CREDIT_AT, accept.credit());
    byte[] code = acceptCode(datagram, init, accept.salt(), key);
    datagram.set(ACCEPT_CODE_AT, code);
    datagram.length(ACCEPT_BYTES);
  }

  /** Reads one that answers that question, and whose code is right. */
  static Optional<Accept> readAccept(Datagram datagram, Init init, LinkKey key) {
    if (datagram.length() != ACCEPT_BYTES) {
      return Optional.empty();
    }
    Bits256 salt = Bits256.read(datagram, SERVER_SALT_AT);
    byte[] code = datagram.get(ACCEPT_CODE_AT, LinkKey.CODE_BYTES);
    return LinkKey.isSame(acceptCode(datagram, init, salt, key), code)
        ? Optional.of(
            new Accept(
                datagram.u64(SERVER_AT),
                salt,
                datagram.u64(RESUME_AT),
                datagram.u64(RESUME_CREDIT_AT)))
        : Optional.empty();
  }

  /** Under a key of both salts: of both messages, the question without its cookie. */
  private static byte[] acceptCode(Datagram datagram, Init init, Bits256 serverSalt, LinkKey key) {
    byte[] secret = secret(key, init.salt(), serverSalt, "accept");
    byte[] question = init.bytes();
    ByteBuffer both = ByteBuffer.allocate(question.length + ACCEPT_CODE_AT);
    both.put(question).put(datagram.get(0, ACCEPT_CODE_AT));
    byte[] code = LinkKey.code(new SecretKeySpec(secret, "HmacSHA256"), both.array());
    Arrays.fill(secret, (byte) 0);
    return code;
  }

  /**
   * Says that nothing is known of a session, or that there is no room for another one.
   *
   * @param kind {@link Wire#RESET} or {@link Wire#FULL}
   * @param id of the session that is not known, or of who has asked for one
   */
  static void writeRefusal(Datagram datagram, int kind, long id, LinkKey key) {
    begin(datagram, kind, id);
    seal(datagram, REFUSAL_CODE_AT, key);
  }

  static boolean isRefusal(Datagram datagram, LinkKey key) {
    return datagram.length() == REFUSAL_BYTES && isSealed(datagram, REFUSAL_CODE_AT, key);
  }

  private static void begin(Datagram datagram, int kind, long id) {
    datagram.i32(0, Wire.first(kind) << 24);
    datagram.u64(Wire.ID_AT, id);
  }

  private static void seal(Datagram datagram, int end, LinkKey key) {
    datagram.set(end, key.code(datagram.get(0, end)));
    datagram.length(end + LinkKey.CODE_BYTES);
  }

  private static boolean isSealed(Datagram datagram, int end, LinkKey key) {
    return LinkKey.isSame(key.code(datagram.get(0, end)), datagram.get(end, LinkKey.CODE_BYTES));
  }

  /** Bytes that only both ends of a session know. */
  private static byte[] secret(
      LinkKey key, Bits256 clientSalt, Bits256 serverSalt, String purpose) {
    ByteBuffer salts = ByteBuffer.allocate(2 * Bits256.BYTES);
    salts.put(clientSalt.bytes()).put(serverSalt.bytes());
    return key.derive(salts.array(), purpose);
  }

  /** What protects the datagrams of one direction. */
  static DatagramSeal seal(LinkKey key, Init init, Bits256 serverSalt, boolean isFromClient) {
    if (init.algorithm().isEmpty()) {
      return new ChecksumSeal();
    }
    byte[] secret = secret(key, init.salt(), serverSalt, isFromClient ? "client" : "server");
    DatagramSeal seal = new AeadSeal(init.algorithm().get(), secret);
    Arrays.fill(secret, (byte) 0);
    return seal;
  }
}
