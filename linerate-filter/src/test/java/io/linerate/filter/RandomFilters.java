package io.linerate.filter;

import java.util.Random;

/** Random filters, most of them right. */
final class RandomFilters {
  private static final String[] PRIMITIVES = {
    "host 10.0.0.1",
    "src host 10.0.0.2",
    "dst 10.1.2.3",
    "net 10.0.0.0/8",
    "src net 192.168.0.0/16",
    "host 2001:db8::1",
    "ip6 src fe80::1:2",
    "net ff00::/8",
    "arp host 10.0.0.1",
    "port 80",
    "tcp port 443",
    "udp dst port 53",
    "src port 22",
    "tcp portrange 80-90",
    "udp src portrange 0-100",
    "sctp port 80",
    "tcp",
    "udp",
    "icmp",
    "icmp6",
    "ip",
    "ip6",
    "arp",
    "rarp",
    "stp",
    "ipx",
    "iso",
    "isis",
    "atalk",
    "llc",
    "llc u",
    "l1",
    "snp",
    "broadcast",
    "multicast",
    "ip multicast",
    "ip6 multicast",
    "ether host 02:00:00:00:00:01",
    "ether src 02:00:00:00:00:02",
    "ether proto 0x88cc",
    "ether proto \\arp",
    "ip proto 17",
    "ip6 proto 58",
    "proto 103",
    "less 80",
    "greater 90",
    "len > 70",
    "ip[0] & 0xf != 5",
    "ip[2:2] > 100",
    "tcp[13] & 2 != 0",
    "udp[4:2] > 50",
    "icmp[0] = 8",
    "ip6[6] = 17",
    "ether[0] & 1 = 0",
    "ip[8] < 64",
    "tcp[0:2] = tcp[2:2]",
    "ip[12:4] = ip[16:4]",
    "link[0:4] > 5",
    "type data",
    "type mgt",
    "subtype beacon",
    "dir tods",
    "vpi 0",
    "vci 5",
    "msu",
    "sio 3",
    "vlan 5",
    "vlan",
    "mpls 100",
    "mpls",
    "pppoes 1",
    "pppoes",
    "geneve",
    "geneve 5",
    "inbound",
    "on em0",
    "rulenum 5",
    "decnet host 1.5",
    "gateway 10.0.0.1",
    "port http",
    "tcp port ssh"
  };
  private static final String[] IDS = {"10.0.0.1", "80", "2001:db8::1", "443", "53", "http"};
  private static final String[] FIELDS = {
    "ip[0]",
    "ip[2:2]",
    "ip[12:4]",
    "tcp[13]",
    "udp[0:2]",
    "ether[12:2]",
    "len",
    "ip6[4:2]",
    "link[0]"
  };
  private static final String[] OPERATORS = {"+", "-", "*", "/", "&", "|", "^", "%", "<<", ">>"};
  private static final String[] RELATIONS = {"=", "!=", "<", ">", "<=", ">="};

  private final Random random;

  RandomFilters(long seed) {
    random = new Random(seed);
  }

  String next() {
    return condition(1 + random.nextInt(4));
  }

  private String pick(String[] words) {
    return words[random.nextInt(words.length)];
  }

  private String condition(int depth) {
    StringBuilder text = new StringBuilder(term(depth));
    for (int i = random.nextInt(4); i > 0; i--) {
      text.append(random.nextBoolean() ? " and " : " or ");
      text.append(random.nextInt(12) == 0 ? pick(IDS) : term(depth));
    }
    return text.toString();
  }

  private String term(int depth) {
    String term =
        switch (depth > 1 ? random.nextInt(5) : random.nextInt(3)) {
          case 0, 1 -> pick(PRIMITIVES);
          case 2 -> number(2) + " " + pick(RELATIONS) + " " + number(2);
          default -> "(" + condition(depth - 1) + ")";
        };
    return random.nextInt(6) == 0 ? "not " + term : term;
  }

  private String number(int depth) {
    return switch (depth > 0 ? random.nextInt(5) : random.nextInt(3)) {
      case 0 -> pick(FIELDS);
      case 1, 2 -> Integer.toString(1 + random.nextInt(random.nextBoolean() ? 8 : 70_000));
      case 3 -> "(" + number(depth - 1) + " " + pick(OPERATORS) + " " + number(depth - 1) + ")";
      default -> number(depth - 1) + " " + pick(OPERATORS) + " " + number(depth - 1);
    };
  }

  /** Words of the language in any order: nearly all are wrong. */
  String nextWords() {
    String words =
        "tcp udp ip ip6 arp host net port portrange src dst and or not ( ) [ ] : + - * / & | = < > != "
            + "10.0.0.1 10/8 80 443 0x10 2001:db8::1 vlan mpls len proto ether broadcast less \\tcp "
            + "02:00:00:00:00:01 mask llc type data 80-90 , $1 == ip[0] tcp[13] gateway 1 2 4";
    String[] all = words.split(" ", -1);
    StringBuilder text = new StringBuilder();
    for (int i = 1 + random.nextInt(8); i > 0; i--) {
      text.append(pick(all)).append(random.nextInt(5) == 0 ? "" : " ");
    }
    return text.toString();
  }
}
