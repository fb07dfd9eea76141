package io.linerate.filter.run;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.INIT_NAME;
import static java.lang.constant.ConstantDescs.MTD_void;

import io.linerate.core.memory.Packet;
import io.linerate.filter.BpfInstruction;
import io.linerate.filter.PacketTest;
import io.linerate.filter.code.Opcodes;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandles;
import java.util.List;

/**
 * Programs as classes of their own, whose constants their instructions are.
 *
 * <pre>{@code
 * public boolean accepts(Packet packet) {
 *   int length = packet.length();
 *   return length >= REQUIRED ? long(packet, length) : shorter(packet, length);
 * }
 * }</pre>
 *
 * <p>Both methods are the whole program. In the first all that is loaded from the begin of the
 * packet is there, and is not asked for again.
 */
public final class ProgramClass {
  /**
   * Bytes of bytecode of a method that HotSpot compiles: larger ones it does not
   * (DontCompileHugeMethods).
   */
  private static final int MAX_METHOD_BYTES = 8_000;

  /** The shortest frame of Ethernet without its checksum: loads behind are asked for each. */
  private static final int MAX_REQUIRED_BYTES = 60;

  /** Instructions that may fit: each takes at least two bytes. */
  private static final int MAX_INSTRUCTIONS = MAX_METHOD_BYTES / 2;

  private static final ClassDesc PACKET = desc(Packet.class);
  private static final MethodTypeDesc ACCEPTS = MethodTypeDesc.of(CD_boolean, PACKET);
  private static final MethodTypeDesc PROGRAM = MethodTypeDesc.of(CD_boolean, PACKET, CD_int);

  private ProgramClass() {}

  private static ClassDesc desc(Class<?> type) {
    return type.describeConstable().orElseThrow();
  }

  /**
   * The class of a program, or what interprets it, if it is larger than HotSpot compiles. It looks
   * at no link type.
   */
  public static PacketTest of(List<BpfInstruction> instructions) {
    if (instructions.size() > MAX_INSTRUCTIONS) {
      return interpreted(instructions);
    }
    byte[] bytes = bytes(instructions);
    return isCompiled(bytes) ? load(bytes) : interpreted(instructions);
  }

  private static PacketTest interpreted(List<BpfInstruction> instructions) {
    return packet -> Interpreter.run(instructions, packet) != 0;
  }

  private static boolean isCompiled(byte[] bytes) {
    ClassModel model = ClassFile.of().parse(bytes);
    return model.methods().stream()
        .flatMap(method -> method.findAttribute(Attributes.code()).stream())
        .allMatch(code -> code.codeLength() <= MAX_METHOD_BYTES);
  }

  private static PacketTest load(byte[] bytes) {
    try {
      return (PacketTest)
          MethodHandles.lookup()
              .defineHiddenClass(bytes, true)
              .lookupClass()
              .getDeclaredConstructor()
              .newInstance();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("filter cannot be loaded", e);
    }
  }

  private static byte[] bytes(List<BpfInstruction> instructions) {
    ClassDesc name = ClassDesc.of(ProgramClass.class.getPackageName(), "Program");
    return ClassFile.of().build(name, made -> write(made, name, instructions));
  }

  private static void write(ClassBuilder made, ClassDesc name, List<BpfInstruction> instructions) {
    int required = required(instructions);
    made.withFlags(ClassFile.ACC_FINAL | ClassFile.ACC_SUPER)
        .withInterfaceSymbols(desc(PacketTest.class))
        .withMethodBody(
            INIT_NAME,
            MTD_void,
            0,
            code -> code.aload(0).invokespecial(CD_Object, INIT_NAME, MTD_void).return_())
        .withMethodBody(
            "accepts",
            ACCEPTS,
            ClassFile.ACC_PUBLIC,
            code -> ProgramCode.writeChoice(code, name, required))
        .withMethodBody(
            ProgramCode.LONG,
            PROGRAM,
            ClassFile.ACC_PRIVATE | ClassFile.ACC_STATIC,
            code -> new ProgramCode(code, instructions, required).write())
        .withMethodBody(
            ProgramCode.SHORTER,
            PROGRAM,
            ClassFile.ACC_PRIVATE | ClassFile.ACC_STATIC,
            code -> new ProgramCode(code, instructions, 0).write());
  }

  /** Bytes that loads from the begin of the packet want, as far as most packets have them. */
  private static int required(List<BpfInstruction> instructions) {
    int required = 0;
    for (BpfInstruction each : instructions) {
      long end = ProgramCode.constantEnd(each);
      if (end <= MAX_REQUIRED_BYTES) {
        required = Math.max(required, (int) end);
      }
    }
    return required;
  }

  /** Whether a program goes back, as that of {@code protochain} does. */
  public static boolean hasLoops(List<BpfInstruction> instructions) {
    return instructions.stream()
        .anyMatch(each -> each.code() == (Opcodes.JMP | Opcodes.JA) && each.k() < 0);
  }
}
