package io.linerate.filter.run;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;

/** How the bytecode of a program comes to the bytes of a packet, and leaves. */
interface Access {
  /** The first variable that is the program's own. */
  int firstVariable();

  /** Pushes the length of the packet. */
  void length(CodeBuilder code);

  /** Pushes how many bytes can be read. */
  void readable(CodeBuilder code);

  /** Where it goes on if a load would read more than that. */
  Label outside();

  /** Pushes what bytes are read of. An offset is pushed next. */
  void bytes(CodeBuilder code);

  /**
   * Takes both from the stack and pushes the number that is there.
   *
   * @param size see {@link io.linerate.filter.code.Opcodes#sizeOf}
   * @param isHostOrder and not in network order
   */
  void read(CodeBuilder code, int size, boolean isHostOrder);

  /** Ends with an answer. */
  void end(CodeBuilder code, boolean isAccepted);
}
