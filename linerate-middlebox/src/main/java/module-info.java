/** Middleboxes: rules, and what they are made of. */
module io.linerate.middlebox {
  requires transitive io.linerate.track;
  requires static org.jspecify;

  exports io.linerate.middlebox.rule;
}
