package io.linerate.apps.route;

import io.linerate.graph.Element;
import io.linerate.graph.GraphBuilder;
import io.linerate.graph.Node;
import io.linerate.middlebox.route.Route;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is between the routes of a router and its links: nothing in a plain router. Links are meant
 * by their numbers.
 */
public class Passage {
  protected final GraphBuilder g;

  public Passage(GraphBuilder g) {
    this.g = g;
  }

  /** Servers that see the frames of a link first: answers leave by out, all else by rest. */
  public Map<String, Element> servers(int link) {
    return Map.of();
  }

  /** Addresses of IPv4 that are the router's, beside those of its links. */
  public List<String> addresses() {
    return List.of();
  }

  /** Those of them that it answers for on a link. */
  public List<String> addressesOn(int link) {
    return List.of();
  }

  /**
   * How sources of packets are checked that come by a link.
   *
   * @param configured for all links
   */
  public Route.Check check(int link, Route.Check configured) {
    return configured;
  }

  /** Whether fragments are put together before they are routed. */
  public boolean needsWholePackets() {
    return false;
  }

  /**
   * Leads packets from the routes of one link to another.
   *
   * @param version of IP
   * @param routed where they leave the routes
   * @param leave where they leave by the link
   */
  public void forward(int version, int from, int to, Node routed, Node leave) {
    g.chain(routed, leave);
  }

  /**
   * Leads packets of a link that are for the router itself.
   *
   * @param local where they leave the routes
   * @param host the kernel's end of the link; null: it has none
   */
  public void local(int link, Node local, @Nullable Node host) {
    if (host != null) {
      g.chain(local, host);
    }
  }

  /**
   * Leads errors about packets, which the router itself has made and routed.
   *
   * @param version of IP
   * @param leave where they leave by the link
   */
  public void own(int version, int to, Node routed, Node leave) {
    g.chain(routed, leave);
  }

  /**
   * Leads such errors that are for the router itself, if anybody wants them.
   *
   * @param local where they leave the routes
   */
  public void ownLocal(Node local) {}
}
