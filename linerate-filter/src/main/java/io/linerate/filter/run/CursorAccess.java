package io.linerate.filter.run;

import static java.lang.constant.ConstantDescs.CD_int;

import io.linerate.core.memory.Packet;
import io.linerate.filter.code.Opcodes;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;

/** By a {@link Packet}, whose length is known: both are the arguments of a static method. */
record CursorAccess(Label outside) implements Access {
  private static final ClassDesc PACKET = Packet.class.describeConstable().orElseThrow();
  private static final MethodTypeDesc OF_PACKET = MethodTypeDesc.of(CD_int, CD_int);
  private static final int CURSOR = 0;
  private static final int LENGTH = 1;

  @Override
  public int firstVariable() {
    return 2;
  }

  @Override
  public void length(CodeBuilder code) {
    code.iload(LENGTH);
  }

  @Override
  public void readable(CodeBuilder code) {
    code.iload(LENGTH);
  }

  @Override
  public void bytes(CodeBuilder code) {
    code.aload(CURSOR);
  }

  @Override
  public void read(CodeBuilder code, int size, boolean isHostOrder) {
    String name =
        switch (size) {
          case Opcodes.W -> "i32";
          case Opcodes.H -> "u16";
          default -> "u8";
        };
    code.invokevirtual(PACKET, name, OF_PACKET);
    if (isHostOrder) {
      throw new IllegalArgumentException("cursors read in network order");
    }
  }

  @Override
  public void end(CodeBuilder code, boolean isAccepted) {
    code.loadConstant(isAccepted ? 1 : 0).ireturn();
  }
}
