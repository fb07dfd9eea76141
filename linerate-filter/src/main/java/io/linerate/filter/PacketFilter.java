package io.linerate.filter;

import io.linerate.core.memory.Burst;
import io.linerate.core.memory.LinkType;
import io.linerate.core.memory.Packet;
import io.linerate.core.memory.PacketPredicate;
import io.linerate.core.memory.ReceiveFilter;
import io.linerate.filter.code.FilterCompiler;
import io.linerate.filter.code.Opcodes;
import io.linerate.filter.run.ProgramClass;
import io.linerate.filter.syntax.Condition;
import io.linerate.filter.syntax.Parser;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A filter of pcap-filter(7), compiled to a class of its own for each link type: for Ethernet at
 * once, for others when their first packet comes.
 *
 * <pre>{@code
 * PacketFilter filter = PacketFilter.compile("tcp port 80 and host 10.0.0.1");
 * burst.forEach(packet -> {
 *   if (filter.accepts(packet)) {
 *     ...
 *   }
 * });
 * }</pre>
 *
 * <p>It may be used by several threads. Nothing is allocated for a packet, and no content of a
 * packet makes it fail: what it would have to read outside the packet makes it reject it, as
 * classic BPF does.
 */
public final class PacketFilter implements ReceiveFilter {
  private static final PacketPredicate REJECTS_ALL = _ -> false;
  private static final List<BpfInstruction> REJECT =
      List.of(new BpfInstruction(Opcodes.RET, 0, 0, 0));

  private final String expression;
  private final @Nullable Condition condition;
  private final FilterOptions options;

  /** Judges packets of Ethernet, and bursts of any. */
  private final PacketPredicate ethernet;

  private final Map<LinkType, PacketPredicate> ofOtherLinks = new ConcurrentHashMap<>();

  private PacketFilter(String expression, FilterOptions options) {
    this.expression = expression;
    this.options = options;
    condition = Parser.parse(expression);
    ethernet = ofEthernet(packet -> accepts(packet)); // Not this, whose accepted leads there.
  }

  /**
   * Compiles a filter; one without a word accepts all packets.
   *
   * @throws FilterException if it is wrong, or accepts no packet of Ethernet; not if it is about
   *     others only
   */
  public static PacketFilter compile(String expression) {
    return compile(expression, FilterOptions.defaults());
  }

  /** As {@link #compile(String)}, with options. */
  public static PacketFilter compile(String expression, FilterOptions options) {
    return new PacketFilter(expression, options.withNames(new RememberedNames(options.names())));
  }

  private PacketPredicate ofEthernet(PacketPredicate others) {
    try {
      return ProgramClass.of(program(LinkType.ETHERNET).instructions(), others);
    } catch (FilterException e) {
      if (e.isOfLinkType()) {
        return ProgramClass.of(REJECT, others);
      }
      throw e;
    }
  }

  /** The filter's text. */
  @Override
  public String expression() {
    return expression;
  }

  /**
   * Whether the filter accepts the packet, by the link type that it begins with. A packet of a type
   * that the filter says nothing of is rejected.
   */
  @Override
  public boolean accepts(Packet packet) {
    return packet.isEthernet() ? ethernet.accepts(packet) : acceptsOther(packet);
  }

  @Override
  public long accepted(Burst burst, int from) {
    return ethernet.accepted(burst, from);
  }

  private boolean acceptsOther(Packet packet) {
    LinkType type = packet.linkType();
    PacketPredicate test = ofOtherLinks.get(type);
    return (test == null ? compileOther(type) : test).accepts(packet);
  }

  private PacketPredicate compileOther(LinkType type) {
    return ofOtherLinks.computeIfAbsent(
        type,
        key -> {
          try {
            return forLink(key);
          } catch (FilterException e) {
            return REJECTS_ALL;
          }
        });
  }

  /**
   * The filter for packets that begin with one link type, which it does not look at again: for
   * loops over packets of a port that brings no other.
   *
   * @throws FilterException if the filter says nothing of such packets, or accepts none
   */
  public PacketPredicate forLink(LinkType type) {
    return ProgramClass.of(program(type).instructions());
  }

  /**
   * The filter as a program of classic BPF.
   *
   * @throws FilterException if the filter says nothing of such packets, or accepts none
   */
  public FilterProgram program(LinkType type) {
    return programOf(expression, condition, type, options);
  }

  /** Not if it asks what no packet says, such as {@code inbound} of frames of Ethernet. */
  @Override
  public boolean judges(LinkType type) {
    try {
      return !KernelProgram.asksKernel(program(type));
    } catch (FilterException e) {
      return false;
    }
  }

  @Override
  public long[] kernelProgram() {
    try {
      FilterOptions whole = options.withSnapLengthBytes(Integer.MAX_VALUE);
      return KernelProgram.of(
          condition, programOf(expression, condition, LinkType.ETHERNET, whole));
    } catch (FilterException e) { // It is about other packets only.
      return new long[0];
    }
  }

  /** The program alone, of a filter that may be about any link type. */
  static FilterProgram programOf(String expression, LinkType type, FilterOptions options) {
    return programOf(expression, Parser.parse(expression), type, options);
  }

  private static FilterProgram programOf(
      String expression, @Nullable Condition condition, LinkType type, FilterOptions options) {
    return new FilterProgram(type, FilterCompiler.compile(expression, condition, type, options));
  }

  @Override
  public String toString() {
    return "PacketFilter[" + expression + "]";
  }
}
