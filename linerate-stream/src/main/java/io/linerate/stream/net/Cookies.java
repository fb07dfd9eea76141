package io.linerate.stream.net;

import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.Arrays;
import javax.crypto.spec.SecretKeySpec;

/**
 * Proofs that who asks for a session gets what is sent to its address, without anything that is
 * kept of it: the time, and a code of it, of the address and of what was asked.
 */
final class Cookies {
  private static final long VALID_NS = 10_000_000_000L;

  private final SecretKeySpec key;

  Cookies(SecureRandom random) {
    byte[] secret = new byte[32];
    random.nextBytes(secret);
    key = new SecretKeySpec(secret, "HmacSHA256");
    Arrays.fill(secret, (byte) 0);
  }

  Bits256 make(Handshake.Init init, UdpPath path, long nowNs) {
    byte[] code = LinkKey.code(key, content(init, path, nowNs));
    return Bits256.of(ByteBuffer.allocate(Bits256.BYTES).putLong(nowNs).put(code).array());
  }

  boolean isValid(Handshake.Init init, UdpPath path, long nowNs) {
    long madeNs = init.cookie().first();
    long ageNs = nowNs - madeNs;
    return ageNs >= 0
        && ageNs <= VALID_NS
        && LinkKey.isSame(make(init, path, madeNs).bytes(), init.cookie().bytes());
  }

  private static byte[] content(Handshake.Init init, UdpPath path, long nowNs) {
    return ByteBuffer.allocate(5 * Long.BYTES + Integer.BYTES + Bits256.BYTES)
        .putLong(nowNs)
        .putLong(path.remoteHigh())
        .putLong(path.remoteLow())
        .putInt(path.remotePort())
        .putLong(init.clientId())
        .putLong(init.stream().low())
        .put(init.salt().bytes())
        .array();
  }
}
