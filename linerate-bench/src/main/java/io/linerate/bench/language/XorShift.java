package io.linerate.bench.language;

/** The random numbers of language.c: Marsaglia, "Xorshift RNGs" (2003), section 3. */
final class XorShift {
  private int state = (int) 2_463_534_242L;

  int nextInt() {
    int x = state;
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    state = x;
    return x;
  }
}
