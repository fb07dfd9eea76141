package io.linerate.bench.duel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompilerLogTest {
  private static final String PATH =
      " method='io.linerate.graph.StraightPathOf3/0x0000000012 handle (Lio/B;)V' bytes='446'";

  private static final String FAILS =
      """
      <klass id='10' name='io.linerate.core.memory.Burst' flags='17'/>
      <method id='11' holder='10' name='forEach' return='12' flags='1'/>
      <method id='13' holder='10' name='sumOfBytes' return='12' flags='1'/>
      <klass id='15' name='java.lang.invoke.MethodHandle' flags='1'/>
      <method id='14' holder='15' name='linkToNative' return='12' flags='1'/>
      <call method='11' count='900' prof_factor='1' inline='1'/>
      <inline_fail reason='already compiled into a big method'/>
      <call method='13' count='-1' prof_factor='1'/>
      <inline_fail reason='too big'/>
      <call method='14' count='1000' prof_factor='1'/>
      <inline_fail reason='native call'/>
      <call method='13' count='1000' prof_factor='1' inline='1'/>
      <inline_success reason='inline (hot)'/>
      </task>
      """;

  @TempDir Path folder;

  private Path log(String text) throws IOException {
    return Files.writeString(folder.resolve("log.xml"), text);
  }

  @Test
  void shouldNameTheHotCallsThatStayedCalls() throws IOException {
    Path log = log("<task compile_id='7'" + PATH + " count='1000' stamp='1'>\n" + FAILS);
    assertThat(CompilerLog.lostCalls(log))
        .containsExactly(
            "Burst.forEach in StraightPathOf3.handle: already compiled into a big method");
  }

  @Test
  void shouldNameHiddenClassesWithoutTheirAddress() throws IOException {
    String fails = FAILS.replace("core.memory.Burst'", "graph.StraightPathOf7/0x0000000023011400'");
    Path log = log("<task compile_id='7'" + PATH + " count='1000' stamp='1'>\n" + fails);
    assertThat(CompilerLog.lostCalls(log))
        .containsExactly(
            "StraightPathOf7.forEach in StraightPathOf3.handle: already compiled into a big method");
  }

  @Test
  void shouldKeepWhatTheLastCompilationSaysOnly() throws IOException {
    String task = "<task compile_id='7'" + PATH + " count='1000' stamp='1'>\n";
    assertThat(CompilerLog.lostCalls(log(task + FAILS + task + "</task>\n"))).isEmpty();
  }

  @Test
  void shouldLeaveOutOtherMethodsAndTheFirstCompiler() throws IOException {
    String other = "<task compile_id='7' method='a.B c ()V' count='1000' stamp='1'>\n";
    String first = "<task compile_id='7'" + PATH + " count='1000' level='3' stamp='1'>\n";
    assertThat(CompilerLog.lostCalls(log(other + FAILS + first + FAILS))).isEmpty();
  }
}
