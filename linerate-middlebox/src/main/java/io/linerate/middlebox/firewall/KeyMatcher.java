package io.linerate.middlebox.firewall;

/** Rules for IPv4 in a form that finds the first that matches. Immutable, for all workers. */
interface KeyMatcher {
  /**
   * The places of the first rules that match, or that of none. For many keys by one call: whatever
   * rules there have been before, the compiler knows what is called for each key.
   *
   * @param keys as {@link SourceTable} has them, what they leave out is not looked at; a negative
   *     one has its verdict in its lower half
   * @param verdicts where the answers go
   */
  void match(long[] keys, int count, int[] verdicts);
}
