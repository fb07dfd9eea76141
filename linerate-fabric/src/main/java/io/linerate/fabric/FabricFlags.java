package io.linerate.fabric;

/** Bits of libfabric's flags and capabilities that several classes need, under their own names. */
final class FabricFlags {
  static final long FI_READ = 1L << 8;
  static final long FI_WRITE = 1L << 9;
  static final long FI_RECV = 1L << 10;
  static final long FI_SEND = 1L << 11;

  /** Of endpoints and queues: what is sent, whatever it is. */
  static final long FI_TRANSMIT = FI_SEND;

  static final long FI_REMOTE_READ = 1L << 12;
  static final long FI_REMOTE_WRITE = 1L << 13;
  static final long FI_MULTI_RECV = 1L << 16;

  /** Something goes, or has come, beside the memory. */
  static final long FI_REMOTE_CQ_DATA = 1L << 17;

  /** Orders: of messages to one peer; of writes to the same memory of one, in two ways. */
  static final long FI_ORDER_SAS = 1L << 8;

  static final long FI_ORDER_WAW = 1L << 4;
  static final long FI_ORDER_RMA_WAW = 1L << 35;

  static final long FI_PEEK = 1L << 19;
  static final long FI_FENCE = 1L << 21;

  /** It ends with an entry in the completion queue. */
  static final long FI_COMPLETION = 1L << 24;

  /** A capability; as a flag of fi_getinfo(3): the address is of this side. */
  static final long FI_SOURCE = 1L << 57;

  static final long FI_DISCARD = 1L << 58;
  static final long FI_CLAIM = 1L << 59;

  /** Of the binding of a queue: what does not ask for a completion has none. */
  static final long FI_SELECTIVE_COMPLETION = 1L << 59;

  private FabricFlags() {}
}
