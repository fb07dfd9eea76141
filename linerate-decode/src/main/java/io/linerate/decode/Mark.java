package io.linerate.decode;

/** What is wrong with a layer. */
public enum Mark {
  /** Nothing. */
  SOUND,
  /** The rest of it was on the wire, and not captured, or is in another packet. */
  CUT,
  /** It claims what is not there, or what its protocol does not allow. */
  MALFORMED
}
