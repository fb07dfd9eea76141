package io.linerate.filter.syntax;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Words that are no names. A backslash in front makes names of them. */
final class Keywords {
  private static final Map<String, String> FORMS = forms();
  private static final Map<String, Protocol> PROTOCOLS = protocols();
  private static final Map<String, Integer> NUMBERS = numbers();

  private Keywords() {}

  /** The form that the parser knows a keyword by, or null. */
  static @Nullable String form(String word) {
    return FORMS.get(word);
  }

  /** All keywords, as people write them, sorted. */
  static List<String> words() {
    return FORMS.keySet().stream().sorted().toList();
  }

  /** The protocol of a keyword, in its form, or null. */
  static @Nullable Protocol protocol(String form) {
    return PROTOCOLS.get(form);
  }

  /** What a named constant stands for, or null. */
  static @Nullable Integer number(String word) {
    return NUMBERS.get(word);
  }

  private static Map<String, String> forms() {
    Map<String, String> forms = new HashMap<>();
    for (Protocol each : Protocol.values()) {
      if (each != Protocol.ANY) {
        forms.put(each.word(), each.word());
      }
    }
    for (String word :
        List.of(
            "dst src host net mask port portrange proto protochain gateway type subtype dir addr1",
            "addr2 addr3 addr4 ra ta less greater byte broadcast multicast and or not len inbound",
            "outbound ifindex vlan mpls pppoed pppoes geneve lane llc metac bcc oam oamf4 oamf4ec",
            "oamf4sc sc ilmic vpi vci connectmsg metaconnect ifname rset rnr srnr reason action fisu",
            "lssu msu hfisu hlssu hmsu sio opc dpc sls hsio hopc hdpc hsls")) {
      for (String each : word.split(" ", -1)) {
        forms.put(each, each);
      }
    }
    for (String alias : List.of("ether", "ppp", "slip", "fddi", "tr", "wlan")) {
      forms.put(alias, "link");
    }
    forms.putAll(
        Map.of(
            "es-is",
            "esis",
            "is-is",
            "isis",
            "direction",
            "dir",
            "length",
            "len",
            "on",
            "ifname",
            "ruleset",
            "rset",
            "rulenum",
            "rnr",
            "subrulenum",
            "srnr",
            "lsu",
            "lssu"));
    for (int i = 1; i <= 4; i++) {
      forms.put("address" + i, "addr" + i);
    }
    return Map.copyOf(forms);
  }

  private static Map<String, Protocol> protocols() {
    Map<String, Protocol> protocols = new HashMap<>();
    for (Protocol each : Protocol.values()) {
      if (each != Protocol.ANY) {
        protocols.put(each.word(), each);
      }
    }
    return Map.copyOf(protocols);
  }

  private static Map<String, Integer> numbers() {
    Map<String, Integer> numbers = new HashMap<>();
    numbers.putAll(Map.of("icmptype", 0, "icmpcode", 1, "icmp6type", 0, "icmp6code", 1));
    numbers.put("tcpflags", 13);
    List<String> flags = List.of("fin", "syn", "rst", "push", "ack", "urg", "ece", "cwr");
    for (int i = 0; i < flags.size(); i++) {
      numbers.put("tcp-" + flags.get(i), 1 << i);
    }
    // RFC 792 and 1256; RFC 4443 and those that the registry of ICMPv6 types names.
    putFrom(numbers, "icmp-", 0, "echoreply");
    putFrom(numbers, "icmp-", 3, "unreach", "sourcequench", "redirect");
    putFrom(
        numbers,
        "icmp-",
        8,
        "echo",
        "routeradvert",
        "routersolicit",
        "timxceed",
        "paramprob",
        "tstamp",
        "tstampreply",
        "ireq",
        "ireqreply",
        "maskreq",
        "maskreply");
    putFrom(
        numbers,
        "icmp6-",
        1,
        "destinationunreach",
        "packettoobig",
        "timeexceeded",
        "parameterproblem");
    putFrom(
        numbers,
        "icmp6-",
        128,
        "echo",
        "echoreply",
        "multicastlistenerquery",
        "multicastlistenerreportv1",
        "multicastlistenerdone",
        "routersolicit",
        "routeradvert",
        "neighborsolicit",
        "neighboradvert",
        "redirect",
        "routerrenum",
        "nodeinformationquery",
        "nodeinformationresponse",
        "ineighbordiscoverysolicit",
        "ineighbordiscoveryadvert",
        "multicastlistenerreportv2",
        "homeagentdiscoveryrequest",
        "homeagentdiscoveryreply",
        "mobileprefixsolicit",
        "mobileprefixadvert",
        "certpathsolicit",
        "certpathadvert");
    putFrom(
        numbers,
        "icmp6-",
        151,
        "multicastrouteradvert",
        "multicastroutersolicit",
        "multicastrouterterm");
    return Map.copyOf(numbers);
  }

  private static void putFrom(
      Map<String, Integer> numbers, String prefix, int first, String... names) {
    for (int i = 0; i < names.length; i++) {
      numbers.put(prefix + names[i], first + i);
    }
  }
}
