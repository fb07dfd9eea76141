package io.linerate.fabric;

/** What peers may do with registered memory: rights of fi_mr(3). Its own side may do everything. */
public enum Access {
  /** Peers may read it. */
  REMOTE_READ(FabricFlags.FI_REMOTE_READ, 1),
  /** Peers may write it. Atomic operations need both. */
  REMOTE_WRITE(FabricFlags.FI_REMOTE_WRITE, 2);

  private final long bit;
  private final int flag;

  Access(long bit, int flag) {
    this.bit = bit;
    this.flag = flag;
  }

  long bit() {
    return bit;
  }

  /** Its bit where a {@link RemoteRegion} is written. */
  int flag() {
    return flag;
  }
}
