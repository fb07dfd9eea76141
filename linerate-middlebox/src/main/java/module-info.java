/** Middleboxes: rules, and translation of addresses. */
module io.linerate.middlebox {
  requires transitive io.linerate.graph;
  requires transitive io.linerate.track;
  requires static org.jspecify;

  exports io.linerate.middlebox.balance;
  exports io.linerate.middlebox.dhcp;
  exports io.linerate.middlebox.firewall;
  exports io.linerate.middlebox.nat;
  exports io.linerate.middlebox.route;
  exports io.linerate.middlebox.rule;
  exports io.linerate.middlebox.standby;
  exports io.linerate.middlebox.synproxy;

  // The manual pages of elements stand beside their classes.
  opens io.linerate.middlebox.balance to
      io.linerate.graph;
  opens io.linerate.middlebox.route to
      io.linerate.graph;
  opens io.linerate.middlebox.dhcp to
      io.linerate.graph;
  opens io.linerate.middlebox.firewall to
      io.linerate.graph;
  opens io.linerate.middlebox.synproxy to
      io.linerate.graph;
  opens io.linerate.middlebox.nat to
      io.linerate.graph;
}
