package io.linerate.apps;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the launcher starts the JVM with. The JVM says nothing of a method that does not exist. */
class JvmOptionsTest {
  private static final String INLINE = "-XX:CompileCommand=inline,";

  @Test
  void shouldInlineMethodsThatExist() throws IOException, ClassNotFoundException {
    List<String> methods =
        Files.readAllLines(Path.of("jvm.options")).stream()
            .filter(line -> line.startsWith(INLINE))
            .map(line -> line.substring(INLINE.length()))
            .toList();
    assertThat(methods).isNotEmpty();
    for (String method : methods) {
      int colons = method.indexOf("::");
      String name = method.substring(colons + 2);
      Class<?> owner = Class.forName(method.substring(0, colons));
      assertThat(Arrays.stream(owner.getDeclaredMethods()))
          .as(method)
          .anyMatch(one -> name.equals("*") || one.getName().equals(name));
    }
  }
}
