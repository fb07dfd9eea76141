package io.linerate.apps;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;

/** What the launcher starts the JVM with. */
class JvmOptionsTest {
  private static final Pattern INLINE = Pattern.compile("\"\\+(.*)\\.(.*)\"");

  /** The JVM says nothing of a method that does not exist. */
  @Test
  void shouldInlineMethodsThatExist() throws IOException, ClassNotFoundException {
    List<MatchResult> methods =
        INLINE.matcher(Files.readString(Path.of("compiler.json"))).results().toList();
    assertThat(methods).isNotEmpty();
    for (MatchResult method : methods) {
      Class<?> owner = Class.forName(method.group(1).replace('/', '.'));
      String name = method.group(2);
      assertThat(Arrays.stream(owner.getDeclaredMethods()))
          .as(method.group())
          .anyMatch(one -> name.equals("*") || one.getName().equals(name));
    }
  }

  /** Of an order that it does not understand, the JVM says more, and goes on without it. */
  @Test
  void shouldGiveOrdersThatTheJvmUnderstands() throws Exception {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    ObjectName commands = new ObjectName("com.sun.management:type=DiagnosticCommand");
    String[] signature = {String[].class.getName()};
    Object[] file = {new String[] {"compiler.json"}};
    assertThat((String) server.invoke(commands, "compilerDirectivesAdd", file, signature))
        .isEqualToIgnoringWhitespace("1 compiler directives added");
    server.invoke(commands, "compilerDirectivesRemove", null, null);
  }
}
