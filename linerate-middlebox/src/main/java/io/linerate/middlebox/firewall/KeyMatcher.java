package io.linerate.middlebox.firewall;

/** Rules for IPv4 in a form that finds the first that matches. Immutable, for all workers. */
interface KeyMatcher {
  /**
   * The place of the first rule that matches, or that of none.
   *
   * @param word a key as {@link SourceTable} has it; what a key leaves out is not looked at
   */
  int match(long word);

  /**
   * As {@link #match(long)} for many keys, by one call: whatever rules there have been before, the
   * compiler knows what is called for each key.
   *
   * @param keys a negative one has its verdict in its lower half
   * @param verdicts where the answers go
   */
  void match(long[] keys, int count, int[] verdicts);
}
