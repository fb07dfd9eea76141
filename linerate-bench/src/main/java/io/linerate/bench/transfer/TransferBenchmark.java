package io.linerate.bench.transfer;

import io.linerate.bench.suite.Benchmark;
import io.linerate.bench.suite.Result;
import io.linerate.bench.suite.Session;
import io.linerate.bench.suite.SkipException;
import io.linerate.bench.suite.Spread;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SequencedMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * {@code transfer}: a file from one network namespace to another by a veth pair, by {@code linerate
 * send} and by what people use, each the whole process, on all CPUs, from memory to memory.
 */
public final class TransferBenchmark implements Benchmark {
  private static final String JAVA = "java";
  private static final String SCP = "scp";
  private static final String RSYNC = "rsync";
  private static final String IPERF = "iperf3";
  private static final int SSH_PORT = 2_222;
  private static final int RSYNC_PORT = 8_730;
  private static final int MB = 1_000_000;
  private static final int MEGABYTES = 1_000;
  private static final int QUICK_MEGABYTES = 100;
  private static final int MOST_ROUNDS = 5;
  private static final int START_MS = 1_500;

  @Override
  public String name() {
    return "transfer";
  }

  @Override
  public String summary() {
    return "a file from one namespace to another: beside scp, rsync and iperf3";
  }

  /** What is sent how. */
  private enum Way {
    PLAIN("as it is"),
    ENCRYPTED("encrypted"),
    COMPRESSED("compressed by zstd");

    private final String title;

    Way(String title) {
      this.title = title;
    }
  }

  @Override
  public void run(Session session) throws IOException, InterruptedException {
    for (int mtu : session.quick() ? new int[] {1_500} : new int[] {1_500, 9_000}) {
      try (TwoHosts hosts = new TwoHosts(session.folder(), mtu)) {
        Path file = hosts.memory().resolve("log.txt");
        int megabytes = session.quick() ? QUICK_MEGABYTES : MEGABYTES;
        write(file, megabytes);
        for (Way way : Way.values()) {
          String title = "%,d MB, MTU %,d, %s".formatted(megabytes, mtu, way.title);
          if (session.wants(title)) {
            session.add(compare(session, hosts, file, way, mtu, title));
          }
        }
      }
    }
  }

  /** Lines that zstd makes a quarter of. */
  private static void write(Path file, int megabytes) throws IOException {
    Random random = new Random(1);
    long left = (long) megabytes * MB;
    try (OutputStream out = Files.newOutputStream(file)) {
      while (left > 0) {
        StringBuilder lines = new StringBuilder();
        while (lines.length() < MB) {
          lines
              .append("10.0.")
              .append(random.nextInt(256))
              .append(" GET /images/")
              .append(Integer.toHexString(random.nextInt()))
              .append(".png HTTP/1.1 200 ")
              .append(random.nextInt(100_000))
              .append('\n');
        }
        int bytes = (int) Math.min(left, lines.length());
        out.write(lines.substring(0, bytes).getBytes(StandardCharsets.US_ASCII));
        left -= bytes;
      }
    }
  }

  /** What runs at the receiver, and what sends. */
  private record Program(List<String> server, List<String> client) {}

  private static Result compare(
      Session session, TwoHosts hosts, Path file, Way way, int mtu, String title)
      throws IOException, InterruptedException {
    SequencedMap<String, Program> programs = new LinkedHashMap<>();
    Path into = Files.createDirectories(hosts.memory().resolve("into"));
    programs.put(JAVA, linerate(session, hosts, file, into, way, mtu));
    switch (way) {
      case PLAIN -> {
        programs.put(RSYNC, rsync(hosts, file, into, List.of()));
        programs.put(IPERF, iperf(file));
      }
      case ENCRYPTED -> programs.put(SCP, scp(hosts, file, into));
      case COMPRESSED -> programs.put(RSYNC, rsync(hosts, file, into, List.of("-z", "--zc=zstd")));
    }
    Map<String, List<Double>> rates = new LinkedHashMap<>();
    Result.Builder result = Result.of("transfer", title, "Gbit/s");
    int rounds = session.quick() ? 1 : Math.min(MOST_ROUNDS, session.pairs());
    for (int round = 0; round < rounds; round++) {
      SequencedMap<String, Program> order = round % 2 == 0 ? programs : programs.reversed();
      for (Map.Entry<String, Program> one : order.entrySet()) {
        try {
          double rate = rate(hosts, file, into, one.getKey(), one.getValue());
          rates.computeIfAbsent(one.getKey(), _ -> new ArrayList<>()).add(rate);
        } catch (SkipException e) {
          session.skip(title + ": " + one.getKey(), e.reason());
        }
      }
    }
    for (String name : programs.sequencedKeySet()) {
      if (rates.containsKey(name)) {
        result.contestant(
            name,
            new Spread(
                rates.getOrDefault(name, List.of()).stream().mapToDouble(rate -> rate).toArray()));
      }
    }
    programs.sequencedKeySet().stream()
        .skip(1)
        .filter(rates::containsKey)
        .findFirst()
        .ifPresent(other -> result.ratio(JAVA, other));
    return result
        .note("the whole process; iperf3: memory to memory by TCP, no file, no process's start")
        .build();
  }

  private static double rate(TwoHosts hosts, Path file, Path into, String name, Program program)
      throws IOException, InterruptedException {
    try (Stream<Path> all = Files.list(into)) {
      for (Path one : all.filter(Files::isRegularFile).toList()) {
        Files.delete(one);
      }
    }
    hosts.serve(program.server);
    try {
      Thread.sleep(START_MS); // It says nowhere that it listens.
      TwoHosts.Run run = hosts.run(program.client);
      if (name.equals(IPERF)) {
        Matcher rate = Pattern.compile("([0-9.]+) Gbits/sec +receiver").matcher(run.said());
        if (!rate.find()) {
          throw new IllegalStateException("iperf3 says no rate: output=" + run.said());
        }
        return Double.parseDouble(rate.group(1));
      }
      if (Files.mismatch(file, into.resolve(file.getFileName())) != -1) {
        throw new IllegalStateException("not what was sent: program=" + name);
      }
      return Files.size(file) * 8.0 / 1e9 / run.seconds();
    } finally {
      hosts.endServers();
    }
  }

  private static Program linerate(
      Session session, TwoHosts hosts, Path file, Path into, Way way, int mtu) throws IOException {
    List<String> both = new ArrayList<>(List.of("--via", "packet:eth0", "--set", "mtu=" + mtu));
    if (way == Way.ENCRYPTED) {
      both.addAll(List.of("--key", key(hosts.memory().resolve("link.key")).toString()));
    }
    List<String> server = session.javaCommand("io.linerate.apps.Main");
    server.addAll(List.of("receive", "--into", into.toString()));
    server.addAll(both);
    List<String> client = session.javaCommand("io.linerate.apps.Main");
    client.addAll(List.of("send", file.toString(), "--to", TwoHosts.RECEIVER));
    client.addAll(both);
    if (way == Way.COMPRESSED) {
      client.addAll(List.of("--compress", "zstd"));
    }
    return new Program(server, client);
  }

  private static Path key(Path file) throws IOException {
    if (!Files.exists(file)) {
      byte[] secret = new byte[32];
      new Random().nextBytes(secret);
      Files.write(file, secret);
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }
    return file;
  }

  private static Program rsync(TwoHosts hosts, Path file, Path into, List<String> options)
      throws IOException {
    Path config = hosts.memory().resolve("rsyncd.conf");
    Files.write(
        config,
        List.of(
            "use chroot = no", "uid = 0", "gid = 0", "[into]", "path = " + into, "read only = no"));
    List<String> client = new ArrayList<>(List.of(program("rsync"), "--whole-file"));
    client.addAll(options);
    client.addAll(
        List.of(file.toString(), "rsync://" + TwoHosts.RECEIVER + ":" + RSYNC_PORT + "/into/"));
    return new Program(
        List.of(
            program("rsync"),
            "--daemon",
            "--no-detach",
            "--port=" + RSYNC_PORT,
            "--config=" + config),
        client);
  }

  private static Program iperf(Path file) throws IOException {
    return new Program(
        List.of(program("iperf3"), "--server"),
        List.of(
            program("iperf3"),
            "--client",
            TwoHosts.RECEIVER,
            "--bytes",
            String.valueOf(Files.size(file)),
            "-f",
            "g"));
  }

  private static Program scp(TwoHosts hosts, Path file, Path into)
      throws IOException, InterruptedException {
    Path folder = Files.createDirectories(hosts.memory().resolve("ssh"));
    Path host = folder.resolve("host");
    Path user = folder.resolve("user");
    for (Path key : List.of(host, user)) {
      if (!Files.exists(key)) {
        var _ =
            hosts.run(
                List.of(
                    program("ssh-keygen"), "-q", "-t", "ed25519", "-N", "", "-f", key.toString()));
      }
    }
    Path allowed = folder.resolve("allowed");
    Files.copy(user.resolveSibling("user.pub"), allowed, StandardCopyOption.REPLACE_EXISTING);
    Path config = folder.resolve("config");
    Files.write(
        config,
        List.of(
            "Port " + SSH_PORT,
            "HostKey " + host,
            "AuthorizedKeysFile " + allowed,
            "StrictModes no",
            "PidFile none",
            "PermitRootLogin yes",
            "Subsystem sftp internal-sftp"));
    Files.createDirectories(Path.of("/run/sshd"));
    return new Program(
        List.of(program("sshd"), "-D", "-e", "-f", config.toString()),
        List.of(
            program("scp"),
            "-q",
            "-P",
            String.valueOf(SSH_PORT),
            "-i",
            user.toString(),
            "-o",
            "StrictHostKeyChecking=no",
            "-o",
            "UserKnownHostsFile=/dev/null",
            "-c",
            "aes256-gcm@openssh.com",
            file.toString(),
            "root@" + TwoHosts.RECEIVER + ":" + into + "/"));
  }

  /** Where a program is; sshd wants to be started by its whole path. */
  private static String program(String name) {
    return Stream.of("/usr/sbin", "/usr/bin", "/usr/local/bin")
        .map(folder -> Path.of(folder, name))
        .filter(Files::isExecutable)
        .findFirst()
        .orElseThrow(() -> new SkipException("no program: name=" + name + "; install it"))
        .toString();
  }
}
