package io.linerate.apps.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.linerate.core.config.ConfigException;
import io.linerate.stream.codec.Compression;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SendRulesTest {
  private static final Treatment OTHERS =
      new Treatment(Optional.of(Compression.DEFLATE), 3, false, "");

  private final SendRules rules = new SendRules(OTHERS);

  private Treatment of(String name, long size) {
    return rules.treatment(new SendRules.Candidate(Path.of(name), size, () -> "alice"));
  }

  @Test
  void shouldEncryptWhatMatchesAndCompressTheRest() {
    rules.add("*.key: encrypt into=secret");

    assertThat(of("deep/er/my.key", 10))
        .isEqualTo(new Treatment(Optional.empty(), 3, true, "secret"));
    assertThat(of("deep/my.keys", 10)).isEqualTo(OTHERS);
    assertThat(rules.hasSecrets()).isTrue();

    rules.leaveSecretsToLink();
    assertThat(of("my.key", 10)).isEqualTo(new Treatment(Optional.empty(), 3, false, "secret"));
  }

  @Test
  void shouldDoWhatTheFirstRuleSaysThatMatches() {
    rules.add("photos/**: compress=none");
    rules.add("size>1MiB owner=alice: compress=deflate:9");
    rules.add("*.{tar,zip} size<100: into=small");
    rules.add("owner=bob: encrypt");
    rules.add("**/keys/*: compress=deflate encrypt");

    assertThat(of("photos/a/b.jpg", 10_000_000)).isEqualTo(Treatment.PLAIN);
    assertThat(of("a", (1 << 20) + 1).level()).isEqualTo(9);
    assertThat(of("a", 1 << 20)).isEqualTo(OTHERS);
    assertThat(of("a.zip", 99).into()).isEqualTo("small");
    assertThat(of("a.zip", 100)).isEqualTo(OTHERS);
    assertThat(of("home/keys/a", 1))
        .isEqualTo(new Treatment(Optional.of(Compression.DEFLATE), 1, true, ""));
  }

  @Test
  void shouldReadThemFromAFile(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("rules");
    Files.writeString(file, "# secret\n*.key: encrypt  # all\n\n*: compress=none\n");
    rules.addAll(file);
    assertThat(of("a.key", 1).isSecret()).isTrue();
    assertThat(of("a", 1)).isEqualTo(Treatment.PLAIN);

    Files.writeString(file, "*.key: encrypt\n*.key encrypt\n*: shred\n");
    assertThatThrownBy(() -> rules.addAll(file))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("rules:2: no rule: *.key encrypt; write what matches, a colon")
        .hasMessageContaining("rules:3: nothing that a rule does: shred; write encrypt");
  }

  @Test
  void shouldSayWhatIsNoRule() {
    for (String wrong :
        List.of(
            "",
            "*.key",
            "*.key:",
            ": encrypt",
            "[a: encrypt",
            "size>: encrypt",
            "size>1XiB: encrypt",
            "size>=1: encrypt",
            "*: into=../out",
            "*: into=/etc",
            "*: into=a/../b",
            "*: into=",
            "*: compress=rar",
            "*: compress=deflate:x",
            "*: compress=deflate:99",
            "*: encrypted")) {
      assertThatThrownBy(() -> rules.add(wrong)).as(wrong).isInstanceOf(ConfigException.class);
    }
  }
}
