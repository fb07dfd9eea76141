package io.linerate.fabric;

import org.jspecify.annotations.Nullable;

/**
 * Why an operation has failed, or what has happened to a peer or a connection: a value, as
 * completions have it.
 *
 * @param kind what it means for a program
 * @param error number of libfabric's error (fi_errno.h), 0 where this side has found it
 * @param providerError the provider's own number, 0 if it has none
 * @param text the provider's text, or ours
 * @param length bytes that were transferred before
 * @param excess bytes of a message that did not fit
 */
public record FabricError(
    Kind kind, int error, int providerError, String text, long length, long excess) {
  static final int FI_ENODATA = 61;
  static final int FI_EAVAIL = 259;
  private static final int FI_ECANCELED = 125;
  private static final int FI_ETRUNC = 265;

  /** What it means for a program. */
  public enum Kind {
    /** It was cancelled, or its endpoint was closed. */
    CANCELED("canceled"),
    /** The message was longer than the memory that was posted for it. */
    TRUNCATED("truncated"),
    /** The peer's process has ended, or does not answer. */
    PEER_LOST("peer lost"),
    /** The connection has ended. */
    DISCONNECTED("disconnected"),
    /** The peer, or its provider, does not allow the access: its key, range or rights. */
    ACCESS("access denied"),
    /**
     * The peer has not answered for two seconds: it does not poll, or has no memory of that key
     * (shm tells nobody of it).
     */
    UNANSWERED("not answered"),
    /** Anything else. */
    FAILED("failed");

    private final String text;

    Kind(String text) {
      this.text = text;
    }

    @Override
    public String toString() {
      return text;
    }
  }

  /** Of this side's own finding. */
  public static FabricError of(Kind kind, String text) {
    return new FabricError(kind, 0, 0, text, 0, 0);
  }

  /** Of what libfabric has reported. */
  static FabricError of(
      int number, int providerError, @Nullable String providerText, long length, long excess) {
    int error = Math.abs(number); // shm has some of them negated.
    String library = text(error);
    String text =
        providerText == null || providerText.isBlank() || providerText.equals(library)
            ? library
            : library + " (" + providerText + ")";
    return new FabricError(kind(error), error, providerError, text, length, excess);
  }

  /**
   * The same of an operation that this side has not asked back: tcp cancels all that is posted when
   * a connection ends, with whatever number of its own.
   */
  FabricError unasked() {
    return kind == Kind.CANCELED
        ? new FabricError(
            Kind.DISCONNECTED,
            error,
            providerError,
            "the connection has ended: " + text,
            length,
            excess)
        : this;
  }

  /** Of what was posted at an endpoint that this side has closed. */
  static FabricError ofClosedEndpoint() {
    return of(Kind.CANCELED, "the endpoint was closed");
  }

  /** Of a message that was longer than its memory, found on this side. */
  static FabricError ofTruncation(long length, long excess) {
    return new FabricError(Kind.TRUNCATED, FI_ETRUNC, 0, text(FI_ETRUNC), length, excess);
  }

  private static String text(int error) {
    return FabricLibrary.text(FabricFunction.ERROR_TEXT.callLong(error));
  }

  private static Kind kind(int error) {
    return switch (error) {
      case FI_ECANCELED -> Kind.CANCELED;
      case FI_ETRUNC -> Kind.TRUNCATED;
      case 1, 13, 14, 266 -> Kind.ACCESS; // EPERM, EACCES, EFAULT, FI_ENOKEY
      case 32, 103, 104, 107, 108 -> Kind.DISCONNECTED; // EPIPE, ECONNABORTED, ECONNRESET, ...
      case 110, 111, 113 -> Kind.PEER_LOST; // ETIMEDOUT, ECONNREFUSED, EHOSTUNREACH
      default -> Kind.FAILED;
    };
  }

  /** What it means and why; numbers only where libfabric or the provider has given one. */
  @Override
  public String toString() {
    if (error == 0 && providerError == 0) {
      return kind + ": " + text;
    }
    return "%s: error=%d%s, text=%s"
        .formatted(kind, error, providerError == 0 ? "" : ", providerError=" + providerError, text);
  }
}
