package io.linerate.filter.run;

import io.linerate.core.memory.Burst;
import io.linerate.core.memory.Packet;
import io.linerate.core.memory.PacketPredicate;
import io.linerate.filter.BpfInstruction;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A program that is interpreted.
 *
 * @param ofBursts judges packets of bursts; null: the program does
 */
record InterpretedProgram(List<BpfInstruction> instructions, @Nullable PacketPredicate ofBursts)
    implements PacketPredicate {
  @Override
  public boolean accepts(Packet packet) {
    return Interpreter.run(instructions, packet) != 0;
  }

  @Override
  public long accepted(Burst burst, int from) {
    return ofBursts == null
        ? PacketPredicate.super.accepted(burst, from)
        : ofBursts.accepted(burst, from);
  }
}
