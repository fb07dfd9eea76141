package io.linerate.dashboard.http;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;

/** The secret that whoever changes something must know: 256 random bits. */
public final class AccessToken {
  private static final int BYTES = 32;

  private final String text;

  private AccessToken(String text) {
    this.text = text;
  }

  public static AccessToken random() {
    byte[] bytes = new byte[BYTES];
    new SecureRandom().nextBytes(bytes);
    return new AccessToken(Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
  }

  /** Whether it is this one: the time that takes says nothing of how much is right. */
  boolean matches(String other) {
    return MessageDigest.isEqual(
        text.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
  }

  /** The secret itself. */
  public String reveal() {
    return text;
  }

  @Override
  public String toString() {
    return "AccessToken[…]";
  }
}
