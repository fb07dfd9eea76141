package io.linerate.systemtest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Releases and artefacts as ./linerate makes them, in copies of the tree. Minutes each, for each
 * builds everything: the second tier.
 */
@Tag("soak")
class ReleaseTest {
  private static final String EXAMPLE = "examples/firewall.properties";

  @TempDir Path folder;

  @BeforeEach
  void require() {
    Lab.requireRoot();
    Lab.requirePrograms("tar", "chroot", "unshare", "setpriv", "mmdebstrap", "umoci");
  }

  /** Its links lead out of it, which is not worth a warning each. */
  @AfterEach
  void remove() {
    shell("rm -rf '%s'/*".formatted(folder));
  }

  /** The tree without what builds have left. */
  private Path copy(String name) throws IOException {
    Path copy = Files.createDirectories(folder.resolve(name));
    shell(
        "tar -C '%s' --exclude=target --exclude=.git --exclude='*.aot' -c . | tar -x -C '%s'"
            .formatted(Lab.project(), copy));
    return copy;
  }

  private static String shell(String script) {
    return await("bash", "-c", script);
  }

  /** Runs it for as long as builds take. */
  private static String await(String... words) {
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(40);
    try (Command command = Command.start(words)) {
      while (command.isAlive() && System.nanoTime() < end) {
        Command.pause(200);
      }
      assertThat(command.awaitExit()).as(command.errors()).isZero();
      return command.output();
    }
  }

  @Test
  void shouldRunOnAMachineWithoutJdkMavenCompilerAndDpdk() throws IOException {
    Path tree = copy("tree");
    Path files = folder.resolve("files");
    await("env", "-C", tree.toString(), "./linerate", "dist", files.toString());
    Path machine = Files.createDirectory(folder.resolve("machine"));
    shell("mmdebstrap --quiet --variant=essential bookworm - | tar -x -C '%s'".formatted(machine));
    shell("tar -xf '%s'/linerate-*-linux-x86_64.tar.gz -C '%s'/opt".formatted(files, machine));
    assertThat(machine.resolve("usr/bin/java")).doesNotExist();
    String said =
        inside(machine, "cd /opt/linerate-*; bin/linerate firewall " + EXAMPLE + " --json");
    assertThat(said).startsWith("{\"program\":\"firewall\"").contains("\"failures\":[]");

    // A colon separates the files of a class path.
    said =
        inside(
            machine, "cp -r /opt/linerate-* /opt/a:b; /opt/a:b/bin/linerate version 2>&1 || true");
    assertThat(said).contains("folder has a colon").contains("folder=/opt/a:b; move the release");

    shell("cp '%s'/linerate_*.deb '%s'/opt".formatted(files, machine));
    inside(machine, "dpkg -i /opt/linerate_*.deb");
    assertThat(inside(machine, "linerate version")).startsWith("linerate ");
    inside(machine, "dpkg -r linerate");
    assertThat(machine.resolve("usr/lib/linerate")).doesNotExist();

    shouldStart(files);
  }

  /** The image: by a runtime for containers where one works, else in its own files. */
  private void shouldStart(Path files) throws IOException {
    Path layout = Files.createDirectory(folder.resolve("layout"));
    shell("tar -xf '%s'/linerate-*-oci.tar -C '%s'".formatted(files, layout));
    String tag = shell("umoci list --layout '%s'".formatted(layout)).strip();
    Path bundle = folder.resolve("bundle");
    await("umoci", "unpack", "--image", layout + ":" + tag, bundle.toString());
    Path rootfs = bundle.resolve("rootfs");
    assertThat(rootfs.resolve("etc/apt/apt.conf.d/99mmdebstrap")).doesNotExist(); // Has proxies.
    assertThat(rootfs.resolve("etc/apt/sources.list.d")).isEmptyDirectory();
    assertThat(rootfs.resolve("tmp")).isEmptyDirectory();
    String said =
        inside(rootfs, "linerate capture --port dpdk:net_null0,size=64 --packets 100000 --json");
    assertThat(said).contains("\"received\":100000", "\"failures\":[]");
    shell("cp '%s'/examples/captures/mixed.pcapng '%s'/opt".formatted(Lab.project(), rootfs));
    said =
        inside(
            rootfs,
            "setpriv --reuid 1000 --regid 1000 --clear-groups"
                + " linerate capture --port pcap:rx=/opt/mixed.pcapng --json");
    assertThat(said).contains("\"failures\":[]");
    if (Lab.isProgram("runc")) {
      Path config = bundle.resolve("config.json");
      Files.writeString(
          config,
          Files.readString(config)
              .replaceFirst("\"terminal\": ?true", "\"terminal\": false")
              .replace("\"--help\"", "\"version\""));
      assertThat(shell("cd '%s' && runc run linerate-release-test".formatted(bundle)))
          .startsWith("linerate ");
    }
  }

  /** Runs a script in another root, with the kernel's own file systems. */
  private static String inside(Path root, String script) {
    return await(
        "unshare",
        "--mount",
        "--pid",
        "--fork",
        "bash",
        "-c",
        "mount --bind /dev '%1$s/dev'; mount -t proc proc '%1$s/proc'; mount -t sysfs sysfs '%1$s/sys'; mount -t tmpfs tmpfs '%1$s/run'; exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root chroot '%1$s' sh -c '%2$s'"
            .formatted(root, script));
  }

  @Test
  void shouldMakeTheSameArtefactsForEverybody() throws Exception {
    Path one = copy("one");
    Path other = copy("a/longer/path");
    Path home = Files.createDirectory(folder.resolve("home"));
    Path user = Path.of(System.getProperty("user.home"), ".m2");
    shell("cp -r '%s' '%s/.m2'; chmod -R a+rwX '%s'".formatted(user, home, folder));
    shell("chown -R 65534:65534 '%1$s'; chmod -R go-rwx '%1$s'".formatted(other));
    shell(
        "cd '%s' && umask 022 && LC_ALL=C TZ=UTC ./linerate install '%s'"
            .formatted(one, folder.resolve("first")));
    shell(
        "cd '%s' && umask 007 && LC_ALL=C.UTF-8 LANG=tr_TR TZ=Asia/Tokyo HOME='%s' MAVEN_OPTS='-Duser.language=tr -Duser.home=%s' setpriv --reuid 65534 --regid 65534 --clear-groups ./linerate install '%s'"
            .formatted(other, home, home, folder.resolve("second")));
    Map<String, String> first = sums(folder.resolve("first"));
    assertThat(first).hasSizeGreaterThan(50);
    assertThat(sums(folder.resolve("second"))).isEqualTo(first);
  }

  /**
   * The sum of each file by its name without the time that Maven gives snapshots; what only says
   * when they were made is left out.
   */
  private static Map<String, String> sums(Path repository)
      throws IOException, NoSuchAlgorithmException {
    Map<String, String> sums = new TreeMap<>();
    List<Path> files = new ArrayList<>();
    try (Stream<Path> all = Files.walk(repository)) {
      all.filter(Files::isRegularFile).forEach(files::add);
    }
    for (Path file : files) {
      String name = file.getFileName().toString();
      if (name.matches(".*\\.(jar|pom|json)")) {
        byte[] sum = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
        sums.put(
            name.replaceFirst("-[0-9]{8}\\.[0-9]{6}-[0-9]+", "-SNAPSHOT"),
            HexFormat.of().formatHex(sum));
      }
    }
    return sums;
  }
}
