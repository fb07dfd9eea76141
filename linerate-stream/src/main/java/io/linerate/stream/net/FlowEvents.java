package io.linerate.stream.net;

import io.linerate.stream.Bytes;

/** What an endpoint tells of its flows, on its worker. */
interface FlowEvents {
  /** A peer has begun one. */
  default void begun(Flow flow) {}

  /** It is on this worker now, and was on another one. */
  default void moved(Flow flow) {}

  /** A message has come, which is gone when this returns. */
  void message(Flow flow, Bytes message);

  /** A peer should have answered by now. */
  default void silent(Flow flow) {}

  /** A peer that was silent has answered. */
  default void heard(Flow flow) {}

  /** Both ends have all; nothing is known of it afterwards. */
  default void ended(Flow flow) {}

  /**
   * It is over before both ends have all; nothing is known of it afterwards.
   *
   * @param why in a few words
   */
  void lost(Flow flow, String why);
}
