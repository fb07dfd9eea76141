package io.linerate.stream.codec;

import java.util.Arrays;
import javax.crypto.SecretKey;

/** A key that can be wiped, which that of the JDK cannot. */
final class SecretBytes implements SecretKey {
  private static final long serialVersionUID = 1L;

  private final String algorithm;
  private final transient byte[] bytes;
  private transient boolean isDestroyed;

  SecretBytes(String algorithm, byte[] bytes) {
    this.algorithm = algorithm;
    this.bytes = bytes.clone();
  }

  @Override
  public String getAlgorithm() {
    return algorithm;
  }

  @Override
  public String getFormat() {
    return "RAW";
  }

  /** A copy: who asks, wipes it. */
  @Override
  public byte[] getEncoded() {
    return bytes.clone();
  }

  @Override
  public void destroy() {
    Arrays.fill(bytes, (byte) 0);
    isDestroyed = true;
  }

  @Override
  public boolean isDestroyed() {
    return isDestroyed;
  }
}
