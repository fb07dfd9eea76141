package io.linerate.decode.reassembly;

/** Why a stream has ended. */
public enum StreamEnd {
  /** Both ends have said so. */
  CLOSED,
  /** One end has reset it. */
  RESET,
  /** No segment came for too long. */
  IDLE,
  /** A new one has its addresses and ports. */
  REPLACED,
  /** Others needed its room. */
  EVICTED,
  /** Nothing more is looked at. */
  STOPPED
}
