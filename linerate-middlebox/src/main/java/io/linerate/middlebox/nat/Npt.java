package io.linerate.middlebox.nat;

import io.linerate.core.memory.DropReason;
import io.linerate.graph.Element;
import io.linerate.graph.Shape;
import io.linerate.graph.Wiring;
import java.util.ArrayList;
import java.util.List;

/**
 * Gives hosts inside other prefixes of IPv6 outside, one for one and without state: NPTv6 (RFC
 * 6296). No checksum changes, so that whatever is carried passes, fragments as well; ICMPv6 errors
 * are translated with what they quote, and hosts inside reach each other by their addresses
 * outside.
 *
 * <pre>
 * inputs      inside, outside: frames with packets of IPv6
 * outputs     outside, inside: what was translated; what hosts inside send to addresses outside that
 *             are theirs leaves by inside
 *             rest (may be left unconnected: such packets are dropped): from addresses inside, or
 *             to addresses outside, of none of the prefixes
 *             refused (may be left unconnected: such packets are dropped): from inside, of addresses
 *             that stand for none outside: for IcmpError.prohibited
 * parameters  prefixes: none is a part of another; of up to 64 bits. Up to 48 bits the subnet in
 *             bits 48 to 63 changes, otherwise the interface identifier
 * drops       npt_no_prefix: of rest
 *             npt_untranslatable: of refused, and from outside: subnet 0xFFFF, or, of a prefix of
 *             more than 48 bits, an interface identifier of zeros or ones alone
 *             nat_not_unicast: to a group, or between neighbors of a link
 *             not_ipv6; malformed: no sound header
 * reads       outward, inward: packets translated
 * example     Node npt = g.add("npt", Npt.of("fd01:203:405::/48 2001:db8:1::/48"));
 *             g.chain(lan.out("ip6"), npt.in("inside")); g.chain(npt.out("outside"), wan.in("ip6"));
 *             g.chain(wan.out("ip6"), npt.in("outside")); g.chain(npt.out("inside"), lan.in("ip6"))
 * </pre>
 */
public record Npt(List<NptPrefix> prefixes) implements Element {
  public static final DropReason NO_PREFIX = DropReason.named("npt_no_prefix");
  public static final DropReason UNTRANSLATABLE = DropReason.named("npt_untranslatable");

  public Npt {
    prefixes = List.copyOf(prefixes);
  }

  /**
   * Of prefixes as {@link NptPrefix#parse} reads them.
   *
   * @throws IllegalArgumentException if one of them is none
   */
  public static Npt of(String... prefixes) {
    return new Npt(List.of(prefixes).stream().map(NptPrefix::parse).toList());
  }

  @Override
  public Shape shape() {
    return Shape.NONE
        .input("inside")
        .input("outside")
        .output("outside")
        .output("inside")
        .optionalOutput("refused")
        .optionalOutput("rest");
  }

  @Override
  public List<String> problems() {
    List<String> problems = new ArrayList<>();
    if (prefixes.isEmpty()) {
      problems.add("no prefix: prefixes=; write one, fd01:203:405::/48 2001:db8:1::/48");
    }
    for (int i = 0; i < prefixes.size(); i++) {
      for (int j = 0; j < i; j++) {
        if (prefixes.get(i).overlaps(prefixes.get(j))) {
          problems.add(
              "prefixes overlap: prefixes=%s, %s; give each address one of them"
                  .formatted(prefixes.get(j), prefixes.get(i)));
        }
      }
    }
    return problems;
  }

  @Override
  public void open(Wiring wiring) {
    PrefixTranslator translator = new PrefixTranslator(prefixes, wiring);
    wiring.input("inside", translator::fromInside);
    wiring.input("outside", translator::fromOutside);
    wiring.count("outward", translator::outward);
    wiring.count("inward", translator::inward);
  }
}
