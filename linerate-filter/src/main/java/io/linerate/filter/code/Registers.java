package io.linerate.filter.code;

/** The registers of classic BPF, and which words of scratch memory are in use. */
final class Registers {
  /** Numbers of registers: those of scratch memory are their own. */
  static final int A = Opcodes.MEMORY_WORDS;

  static final int X = A + 1;
  static final int COUNT = X + 1;

  /** Stands for A and X together. */
  static final int A_AND_X = COUNT;

  /** What {@link #take} returns if no word is free. */
  static final int NONE = -1;

  private final boolean[] isUsed = new boolean[Opcodes.MEMORY_WORDS];
  private int next;

  /** A word of scratch memory, or {@link #NONE}. */
  int take() {
    for (int i = 0; i < isUsed.length; i++) {
      if (!isUsed[next]) {
        isUsed[next] = true;
        return next;
      }
      next = (next + 1) % isUsed.length;
    }
    return NONE;
  }

  void free(int word) {
    isUsed[word] = false;
  }
}
