package io.linerate.decode;

import io.linerate.core.config.NearestWord;
import io.linerate.decode.protocol.ArpProtocol;
import io.linerate.decode.protocol.DataProtocol;
import io.linerate.decode.protocol.DhcpProtocol;
import io.linerate.decode.protocol.DnsProtocol;
import io.linerate.decode.protocol.EthernetProtocol;
import io.linerate.decode.protocol.IcmpProtocol;
import io.linerate.decode.protocol.Icmpv6Protocol;
import io.linerate.decode.protocol.Ipv4Protocol;
import io.linerate.decode.protocol.Ipv6Protocol;
import io.linerate.decode.protocol.NtpProtocol;
import io.linerate.decode.protocol.StandardProtocols;
import io.linerate.decode.protocol.TcpProtocol;
import io.linerate.decode.protocol.TlsProtocol;
import io.linerate.decode.protocol.UdpProtocol;
import io.linerate.decode.protocol.VlanProtocol;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Which protocols a decoder knows, and which numbers in headers stand for them. It never changes:
 * what adds a protocol or binds a number answers another one.
 *
 * <pre>{@code
 * Protocols mine = Protocols.standard().bind(DispatchTable.UDP_PORT.key(8053), "dns");
 * }</pre>
 */
public final class Protocols {
  /** No protocol. */
  static final int NONE = -1;

  // Those that most packets have come first, where they are known: their numbers are constants.
  static final int ETHERNET = 0;
  static final int VLAN = 1;
  static final int IPV4 = 2;
  static final int IPV6 = 3;
  static final int TCP = 4;
  static final int UDP = 5;
  static final int DATA = 6;
  static final int ARP = 7;
  static final int ICMP = 8;
  static final int ICMPV6 = 9;
  static final int DNS = 10;
  static final int TLS = 11;

  private static final List<Class<? extends Protocol>> FIRST =
      List.of(
          EthernetProtocol.class,
          VlanProtocol.class,
          Ipv4Protocol.class,
          Ipv6Protocol.class,
          TcpProtocol.class,
          UdpProtocol.class,
          DataProtocol.class,
          ArpProtocol.class,
          IcmpProtocol.class,
          Icmpv6Protocol.class,
          DnsProtocol.class,
          TlsProtocol.class,
          DhcpProtocol.class,
          NtpProtocol.class);

  /** By which numbers these are found, but for ports. */
  private static final Set<DispatchTable> TABLES =
      Set.of(DispatchTable.LINK_TYPE, DispatchTable.ETHER_TYPE, DispatchTable.IP_PROTOCOL);

  private static final int LEAST_SLOTS = 1_024;

  private final List<Protocol> all;

  /** By their numbers. */
  private final Protocol[] byNumber;

  /** Of each whether it has something to say when it is scanned. */
  private final boolean[] hasScan;

  private final Map<DispatchKey, Protocol> bindings;
  private final Map<String, Protocol> byName = new LinkedHashMap<>();
  private final Map<Fields, Integer> numbers = new HashMap<>();

  /** Names of fields, and names for several. */
  private final Map<String, List<Field>> fields = new LinkedHashMap<>();

  // The bindings, by a hash of table and number: half of the slots at least are empty.
  private final long[] slotKeys;
  private final int[] slots;

  final PortTable tcpPorts;
  final PortTable udpPorts;

  private Protocols(List<Protocol> given, Map<DispatchKey, Protocol> bindings) {
    all = given.stream().sorted(Comparator.comparingInt(Protocols::order)).toList();
    this.bindings = bindings;
    for (Protocol protocol : all) {
      if (byName.put(protocol.fields().name(), protocol) != null) {
        throw new IllegalArgumentException(
            "two protocols have one name: name=%s; leave one out"
                .formatted(protocol.fields().name()));
      }
      numbers.put(protocol.fields(), numbers.size());
    }
    all.forEach(this::addFields);
    byNumber = all.toArray(new Protocol[0]);
    hasScan = new boolean[byNumber.length];
    for (int i = 0; i < hasScan.length; i++) {
      hasScan[i] = hasScan(byNumber[i]);
    }
    int size = Math.max(LEAST_SLOTS, Integer.highestOneBit(bindings.size()) << 2);
    slotKeys = new long[size];
    slots = new int[size];
    Arrays.fill(slots, NONE);
    bindings.forEach(this::addSlot);
    tcpPorts = new PortTable(this, DispatchTable.TCP_PORT);
    udpPorts = new PortTable(this, DispatchTable.UDP_PORT);
  }

  private static int order(Protocol protocol) {
    int index = FIRST.indexOf(protocol.getClass());
    return index < 0 ? FIRST.size() : index;
  }

  private static boolean hasScan(Protocol protocol) {
    try {
      Method scan = protocol.getClass().getMethod("scan", Scan.class);
      return scan.getDeclaringClass() != Protocol.class;
    } catch (NoSuchMethodException e) {
      throw new AssertionError(e);
    }
  }

  /** Whether the protocols that most packets have are Linerate's, and found by their numbers. */
  boolean beginsAsStandard() {
    for (int i = 0; i < FIRST.size(); i++) {
      if (i == byNumber.length || byNumber[i].getClass() != FIRST.get(i) || !isBound(byNumber[i])) {
        return false;
      }
    }
    return true;
  }

  @SuppressWarnings("ReferenceEquality") // Protocols are themselves only.
  private boolean isBound(Protocol protocol) {
    return protocol.keys().stream()
        .filter(key -> TABLES.contains(key.table()))
        .allMatch(key -> bindings.get(key) == protocol);
  }

  /** The protocol of a number. */
  Protocol at(int number) {
    return byNumber[number];
  }

  /** Whether a protocol says anything of its header: if not, it has all bytes of its layer. */
  boolean hasScan(int number) {
    return hasScan[number];
  }

  private void addFields(Protocol protocol) {
    for (Field field : protocol.fields().all()) {
      fields.computeIfAbsent(field.name(), _ -> new ArrayList<>()).add(field);
    }
    for (Fields.Alias alias : protocol.fields().aliases()) {
      fields.computeIfAbsent(alias.name(), _ -> new ArrayList<>()).addAll(alias.fields());
    }
  }

  private void addSlot(DispatchKey key, Protocol protocol) {
    long wanted = slotKey(key.table(), key.value());
    int at = slot(wanted);
    while (slots[at] != NONE) {
      if (slotKeys[at] == wanted) {
        throw new IllegalArgumentException(
            "numbers of two tables cannot be told apart: table=%s, number=%d, protocols=%s, %s; rename one table"
                .formatted(
                    key.table().name(),
                    key.value(),
                    byNumber[slots[at]].fields().name(),
                    protocol.fields().name()));
      }
      at = (at + 1) & (slots.length - 1);
    }
    slotKeys[at] = wanted;
    slots[at] = number(protocol.fields());
  }

  private static long slotKey(DispatchTable table, long value) {
    return ((long) table.name().hashCode() << Integer.SIZE) ^ value;
  }

  private int slot(long key) {
    return (int) ((key * 0x9E3779B97F4A7C15L) >>> 40) & (slots.length - 1);
  }

  /** All that Linerate knows, and those that other jars offer as services. */
  public static Protocols standard() {
    Set<String> names = new HashSet<>();
    List<Protocol> all = new ArrayList<>(StandardProtocols.all());
    all.forEach(protocol -> names.add(protocol.fields().name()));
    for (Protocol protocol : ServiceLoader.load(Protocol.class)) {
      if (names.add(protocol.fields().name())) {
        all.add(protocol);
      }
    }
    return of(all);
  }

  /**
   * Some, with the numbers that stand for them; of two that claim one number the later has it.
   *
   * @throws IllegalArgumentException if two have one name, or tables cannot be told apart by the
   *     hashes of their names
   */
  public static Protocols of(List<Protocol> protocols) {
    Map<DispatchKey, Protocol> bindings = new HashMap<>();
    for (Protocol protocol : protocols) {
      protocol.keys().forEach(key -> bindings.put(key, protocol));
    }
    return new Protocols(new ArrayList<>(protocols), bindings);
  }

  /** These and one more, in the place of one of the same class, if there is one. */
  public Protocols with(Protocol protocol) {
    List<Protocol> more = new ArrayList<>(all);
    more.removeIf(each -> each.getClass() == protocol.getClass());
    more.add(protocol);
    Map<DispatchKey, Protocol> changed = new HashMap<>(bindings);
    protocol.keys().forEach(key -> changed.put(key, protocol));
    return new Protocols(more, changed);
  }

  /**
   * The same, but for what a number stands for.
   *
   * @param name of the protocol
   * @throws IllegalArgumentException if there is no such protocol, or no protocol reads such a
   *     table
   */
  public Protocols bind(DispatchKey key, String name) {
    requireTable(key.table().name());
    Protocol protocol = byName.get(name);
    if (protocol == null) {
      throw new IllegalArgumentException(
          "no such protocol: name=%s%s; linerate decode --list-protocols prints all"
              .formatted(name, nearest(name, byName.keySet())));
    }
    Map<DispatchKey, Protocol> changed = new HashMap<>(bindings);
    changed.put(key, protocol);
    return new Protocols(all, changed);
  }

  private void requireTable(String name) {
    Set<String> tables = new TreeSet<>(DispatchTable.names());
    bindings.keySet().forEach(key -> tables.add(key.table().name()));
    if (!tables.contains(name)) {
      throw new IllegalArgumentException(
          "no such table: name=%s%s; there are %s"
              .formatted(name, nearest(name, tables), String.join(", ", tables)));
    }
  }

  private static String nearest(String name, Set<String> names) {
    return NearestWord.to(name.toLowerCase(Locale.ROOT), names)
        .map(near -> ", nearest=" + near)
        .orElse("");
  }

  /** All, in the order in which they were given, behind those that most packets have. */
  public List<Protocol> all() {
    return all;
  }

  /** One by its name; null if there is none. */
  public @Nullable Protocol named(String name) {
    return byName.get(name);
  }

  /** The fields that a name stands for: none if there is no such name. */
  public List<Field> fields(String name) {
    return Collections.unmodifiableList(fields.getOrDefault(name, List.of()));
  }

  /** All names of fields. */
  public Set<String> fieldNames() {
    return Collections.unmodifiableSet(fields.keySet());
  }

  /** All bindings. */
  public Map<DispatchKey, Protocol> bindings() {
    return Collections.unmodifiableMap(bindings);
  }

  /**
   * Place of a protocol among {@link #all}.
   *
   * @throws IllegalArgumentException if it is not there
   */
  public int number(Fields protocol) {
    Integer number = numbers.get(protocol);
    if (number == null) {
      throw new IllegalArgumentException(
          "decoder does not know the protocol: protocol=%s; add it to its protocols"
              .formatted(protocol.name()));
    }
    return number;
  }

  /** Number of the protocol that a number in a header stands for, or {@link #NONE}. */
  int find(DispatchTable table, long value) {
    long wanted = slotKey(table, value);
    int at = slot(wanted);
    while (slots[at] != NONE) {
      if (slotKeys[at] == wanted) {
        return slots[at];
      }
      at = (at + 1) & (slots.length - 1);
    }
    return NONE;
  }
}
