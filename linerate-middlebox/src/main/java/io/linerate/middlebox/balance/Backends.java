package io.linerate.middlebox.balance;

import io.linerate.middlebox.route.RouterLink;
import io.linerate.wire.IpPrefix;
import io.linerate.wire.Ipv4Address;
import io.linerate.wire.MacAddress;
import java.lang.System.Logger.Level;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The services of a balancer, which of their backends are up, and what each has of new connections.
 * Shared by all workers; they change while packets flow. Any thread.
 *
 * <p>A backend keeps its number, and one that is removed gives its number to nobody.
 */
public final class Backends {
  /** Backends at most, of all services, the removed ones too. */
  public static final int MOST = 4_096;

  private static final System.Logger LOG = System.getLogger(Backends.class.getName());

  private final List<BalancedService> services;
  private final Optional<RouterLink> link;
  private final boolean areAddedUp;
  private volatile Server[] servers = {};
  private volatile Maglev[] tables;

  /** The number of the question that backends are asked now. */
  private volatile int question;

  /** What only who has got the question knows of it. */
  private volatile int secret;

  private final SecureRandom random = new SecureRandom();

  /** A backend as it is now. */
  static final class Server {
    final int number;
    final int service;
    final String text;
    final int address;
    final int port;
    private volatile int weight;
    private volatile boolean isUp;
    private volatile boolean isRemoved;

    /** The number of the question that it has answered last. */
    private volatile int answer;

    /** Its Ethernet address; 0: not known yet. */
    private volatile long mac;

    Server(int number, int service, Backend backend, boolean isUp) {
      this.number = number;
      this.service = service;
      this.isUp = isUp;
      text = backend.address() + ":" + backend.port();
      address = Ipv4Address.parse(backend.address());
      port = backend.port();
      weight = backend.weight();
    }

    boolean isUp() {
      return isUp && !isRemoved;
    }

    boolean isRemoved() {
      return isRemoved;
    }

    long mac() {
      return mac;
    }
  }

  /**
   * @param areAddedUp whether backends that are added are up before anybody has asked them; those
   *     of the beginning are taken for up until they are found not to be, so that a balancer that
   *     begins anew goes on with the connections of before
   * @throws IllegalArgumentException if a service stands twice
   */
  public Backends(List<BalancedService> services, boolean areAddedUp) {
    this(services, areAddedUp, Optional.empty());
  }

  /**
   * Backends that are all on one link.
   *
   * @param link which the balancer has to them; those that are added later are on it, too
   * @param areAddedUp as above
   * @throws IllegalArgumentException if a service stands twice, or a backend is no other host of
   *     the link
   */
  public Backends(List<BalancedService> services, boolean areAddedUp, RouterLink link) {
    this(services, areAddedUp, Optional.of(link));
  }

  private Backends(List<BalancedService> services, boolean areAddedUp, Optional<RouterLink> link) {
    this.link = link;
    this.services = List.copyOf(services);
    Set<String> names = new HashSet<>();
    for (BalancedService service : services) {
      if (!names.add(service.name())) {
        throw new IllegalArgumentException(
            "service stands twice: service=" + service.name() + "; write all its backends in one");
      }
    }
    this.areAddedUp = areAddedUp;
    tables = new Maglev[services.size()];
    for (int i = 0; i < services.size(); i++) {
      services.get(i).backends().forEach(this::requireOnLink);
      for (Backend backend : services.get(i).backends()) {
        append(i, backend, true);
      }
      rebuild(i);
    }
  }

  private void requireOnLink(Backend backend) {
    if (link.isPresent() && !link.get().hasRoomFor(IpPrefix.parse(backend.address()))) {
      throw new IllegalArgumentException(
          "backend is no other host of its link: backend=%s, link=%s; write one of %s"
              .formatted(backend, link.get().name(), String.join(" ", link.get().addresses())));
    }
  }

  private synchronized void append(int service, Backend backend, boolean isUp) {
    requireRoom(1);
    Server[] more = Arrays.copyOf(servers, servers.length + 1);
    more[servers.length] = new Server(servers.length, service, backend, isUp);
    servers = more;
  }

  private void requireRoom(int count) {
    if (servers.length + count > MOST) {
      throw new IllegalArgumentException(
          "too many backends: backends=%d, most=%d; start the balancer anew"
              .formatted(servers.length + count, MOST));
    }
  }

  List<BalancedService> services() {
    return services;
  }

  /** The backend of a number; null if there is none. */
  @Nullable Server known(int number) {
    Server[] all = servers;
    return number >= 0 && number < all.length && !all[number].isRemoved() ? all[number] : null;
  }

  Server[] servers() {
    return servers;
  }

  /** The backend for a flow of a service; null if none is up. */
  @Nullable Server choose(int service, long hash) {
    int number = tables[service].at(hash);
    return number == Maglev.NONE ? null : servers[number];
  }

  private synchronized void rebuild(int service) {
    List<Maglev.Share> shares = new ArrayList<>();
    for (Server server : servers) {
      if (server.service == service && server.isUp()) {
        long name = (Integer.toUnsignedLong(server.address) << 16) | server.port;
        shares.add(new Maglev.Share(server.number, name, server.weight));
      }
    }
    Maglev[] next = tables.clone();
    next[service] = Maglev.of(shares);
    tables = next;
  }

  /** In a thread of its own: a table takes longer than packets may wait. */
  private void rebuildSoon(int service) {
    Thread _ = Thread.ofVirtual().start(() -> rebuild(service));
  }

  /** What a health check has found. */
  void found(Server server, boolean isUp) {
    if (server.isUp != isUp) {
      server.isUp = isUp;
      LOG.log(
          isUp ? Level.INFO : Level.WARNING,
          "backend is {0}: service={1}, backend={2}",
          isUp ? "up" : "down",
          services.get(server.service).name(),
          server.text);
      rebuildSoon(server.service);
    }
  }

  /** Backends are asked a question of this number now: answers to others come too late. */
  void asking(int number) {
    secret = random.nextInt();
    question = number;
  }

  /**
   * What is to be in the answer to that question: forged ones, by who sees none, do not have it.
   */
  int secret() {
    return secret;
  }

  /**
   * A backend has answered a question; whether that is the one that it was asked last.
   *
   * @param mac where the answer came from
   */
  boolean answered(Server server, int number, long mac) {
    boolean isInTime = number == question;
    if (isInTime) {
      if (server.mac != mac) {
        server.mac = mac;
      }
      server.answer = number;
    }
    return isInTime;
  }

  /** The number of the question that a backend has answered last. */
  int answer(Server server) {
    return server.answer;
  }

  /**
   * Changes what a backend has of new connections.
   *
   * @param text {@code ADDRESS:PORT weight N}; of all services that have it
   * @throws IllegalArgumentException if there is no such backend, or no weight
   */
  public synchronized void weight(String text) {
    if (!text.contains("weight")) {
      throw new IllegalArgumentException(
          "no weight: text=%s; write ADDRESS:PORT weight N, of 0 to %d"
              .formatted(text, Backend.MAX_WEIGHT));
    }
    Backend wanted = Backend.parse(text);
    for (Server server : named(wanted)) {
      server.weight = wanted.weight();
      rebuild(server.service);
    }
    LOG.log(Level.INFO, "weight of backend: backend={0}", wanted);
  }

  /**
   * Adds a backend.
   *
   * @param text service and backend: {@code tcp ADDRESS:PORT -> ADDRESS:PORT [weight N]}
   * @throws IllegalArgumentException if there is no such service, it has the backend, or that is on
   *     no link: nothing is added then
   */
  public synchronized void add(String text) {
    BalancedService wanted = BalancedService.parse(text);
    int service = services.stream().map(BalancedService::name).toList().indexOf(wanted.name());
    if (service < 0) {
      throw new IllegalArgumentException(
          "no such service: service="
              + wanted.name()
              + "; there are "
              + services.stream().map(BalancedService::name).toList());
    }
    requireRoom(wanted.backends().size());
    for (Backend backend : wanted.backends()) {
      requireOnLink(backend);
      String name = backend.address() + ":" + backend.port();
      if (Arrays.stream(servers)
          .anyMatch(one -> one.service == service && !one.isRemoved && one.text.equals(name))) {
        throw new IllegalArgumentException("backend is there already: backend=" + name);
      }
    }
    for (Backend backend : wanted.backends()) {
      append(service, backend, areAddedUp);
      LOG.log(Level.INFO, "backend added: service={0}, backend={1}", wanted.name(), backend);
    }
    rebuild(service);
  }

  /**
   * Removes a backend from all services that have it: its connections go to others, which will not
   * know them. To let them end give it weight 0 before.
   *
   * @throws IllegalArgumentException if there is no such backend
   */
  public synchronized void remove(String text) {
    Backend wanted = Backend.parse(text);
    for (Server server : named(wanted)) {
      server.isRemoved = true;
      rebuild(server.service);
    }
    LOG.log(Level.INFO, "backend removed: backend={0}", wanted);
  }

  private List<Server> named(Backend wanted) {
    String name = wanted.address() + ":" + wanted.port();
    List<Server> some =
        Arrays.stream(servers)
            .filter(server -> !server.isRemoved && server.text.equals(name))
            .toList();
    if (some.isEmpty()) {
      throw new IllegalArgumentException(
          "no such backend: backend="
              + name
              + "; there are "
              + Arrays.stream(servers)
                  .filter(server -> !server.isRemoved)
                  .map(server -> server.text)
                  .distinct()
                  .toList());
    }
    return some;
  }

  /**
   * A line each: service, backend, weight, up or down, and the Ethernet address that it answers
   * from.
   */
  public String text() {
    StringBuilder text = new StringBuilder();
    for (Server server : servers) {
      if (!server.isRemoved) {
        text.append(
            "%s %s weight %d %s%s%n"
                .formatted(
                    services.get(server.service).name(),
                    server.text,
                    server.weight,
                    server.isUp ? "up" : "down",
                    server.mac == 0 ? "" : " " + MacAddress.format(server.mac)));
      }
    }
    return text.toString();
  }

  @Override
  public String toString() {
    return services.toString();
  }
}
