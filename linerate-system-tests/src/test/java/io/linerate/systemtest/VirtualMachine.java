package io.linerate.systemtest;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/**
 * A virtual machine with network cards that QEMU emulates, in which programs of the host run: its
 * file system is the host's, seen through 9p, and what is written to it stays in memory, but for
 * one folder that both share. It needs neither KVM nor a kernel module of the host's.
 *
 * <p>QEMU's own words, those of the kernel ({@code serial.log}) and those of every program stay in
 * the folder.
 */
final class VirtualMachine implements AutoCloseable {
  /** Names the folder of the unpacked packages of a kernel and of busybox-static. */
  static final String FILES = "linerate.test.machine";

  /** Another QEMU than that of the path, such as one that knows more cards. */
  private static final String QEMU = System.getProperty("linerate.test.qemu", "qemu-system-x86_64");

  private static final long TIMEOUT_NS = TimeUnit.MINUTES.toNanos(10);

  private final Path folder;
  private final Command qemu;

  private VirtualMachine(Path folder, Command qemu) {
    this.folder = folder;
    this.qemu = qemu;
  }

  /** The command of QEMU, or skips the test. */
  static List<String> qemu() {
    List<String> words = List.of(QEMU.split(" "));
    assumeTrue(
        Files.isExecutable(Path.of(words.getFirst())) || Lab.isProgram(words.getFirst()),
        "skipped: needs the program " + words.getFirst());
    return words;
  }

  /** Whether QEMU can emulate it. */
  static boolean knows(String device) {
    List<String> words = new ArrayList<>(qemu());
    words.addAll(List.of("-device", "help"));
    return Command.run(words.toArray(new String[0])).contains("name \"" + device + "\"");
  }

  /**
   * Boots one.
   *
   * @param name of its folder in {@code target/machine}, which is emptied
   * @param namespace the network namespace that QEMU runs in; "" for the test's own
   * @param cards its network cards, bound to vfio-pci
   */
  static VirtualMachine start(String name, String namespace, List<NetworkCard> cards) {
    Path files = Path.of(System.getProperty(FILES, ""));
    assumeTrue(
        Files.isDirectory(files.resolve("lib/modules")),
        "skipped: needs a kernel and busybox, unpacked: folder=" + files);
    Path folder = Path.of("target", "machine", name).toAbsolutePath();
    prepare(files, folder);
    List<String> words = command(folder, cards);
    System.out.printf("machine: folder=%s, command=%s%n", folder, String.join(" ", words));
    VirtualMachine machine =
        new VirtualMachine(
            folder, Command.start(namespace.isEmpty() ? words : Command.in(namespace, words)));
    try {
      machine.await("it is up", () -> Files.exists(folder.resolve("up")));
    } catch (AssertionError e) {
      machine.close();
      throw e;
    }
    return machine;
  }

  private static void prepare(Path files, Path folder) {
    Command.run("rm", "-rf", folder.toString());
    try {
      Files.createDirectories(folder);
      for (String script : List.of("init.sh", "commands.sh", "make-initramfs.sh")) {
        try (InputStream content =
            Objects.requireNonNull(
                VirtualMachine.class.getResourceAsStream("/machine/" + script))) {
          Files.copy(content, folder.resolve(script), StandardCopyOption.REPLACE_EXISTING);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Command.run(
        "sh",
        folder.resolve("make-initramfs.sh").toString(),
        files.toString(),
        folder.resolve("init.sh").toString(),
        folder.toString());
  }

  private static List<String> command(Path folder, List<NetworkCard> cards) {
    // It ends with the thread that started it, whatever ends that.
    List<String> words = new ArrayList<>(List.of("setpriv", "--pdeathsig", "TERM", "nice"));
    words.addAll(qemu());
    words.addAll(List.of("-nodefaults", "-no-reboot", "-display", "none", "-monitor", "stdio"));
    // One thread emulates both processors: with two, one may run half of an instruction that the
    // other is writing, as HotSpot does with code that it patches.
    words.addAll(List.of("-machine", "q35", "-accel", "tcg,thread=single"));
    words.addAll(List.of("-cpu", "max", "-smp", "2", "-m", "3G"));
    words.addAll(List.of("-device", "intel-iommu,intremap=on"));
    words.addAll(List.of("-kernel", folder.resolve("vmlinuz").toString()));
    words.addAll(List.of("-initrd", folder.resolve("initramfs").toString()));
    words.addAll(List.of("-serial", "file:" + folder.resolve("serial.log")));
    words.addAll(List.of("-virtfs", shared("host", Path.of("/")) + ",readonly=on"));
    words.addAll(List.of("-virtfs", shared("share", folder)));
    String bound =
        cards.stream().map(card -> card.address() + "/vfio-pci").collect(Collectors.joining(","));
    words.addAll(
        List.of(
            "-append",
            "console=ttyS0 quiet panic=-1 no_timer_check nowatchdog mitigations=off intel_iommu=on hugepages=256 linerate.share="
                + folder
                + " linerate.bind="
                + bound));
    cards.forEach(card -> words.addAll(card.options()));
    return words;
  }

  private static String shared(String tag, Path folder) {
    return "local,path=%s,mount_tag=%s,security_model=none,multidevs=remap".formatted(folder, tag);
  }

  /** The folder that it shares with the host, under the same name. */
  Path folder() {
    return folder;
  }

  /** Gives QEMU's monitor a command, such as {@code set_link}. */
  void monitor(String command) {
    qemu.say(command);
  }

  /** Waits until something is so, as long as the machine runs. */
  void await(String what, BooleanSupplier isSo) {
    long end = System.nanoTime() + TIMEOUT_NS;
    while (!isSo.getAsBoolean()) {
      if (System.nanoTime() > end || !qemu.isAlive()) {
        throw new AssertionError(
            "awaited in vain that %s: machine=%s, alive=%s, errors=%s; see its serial.log"
                .formatted(what, folder, qemu.isAlive(), qemu.errors()));
      }
      Command.pause(50);
    }
  }

  @Override
  public void close() {
    qemu.close();
  }
}
