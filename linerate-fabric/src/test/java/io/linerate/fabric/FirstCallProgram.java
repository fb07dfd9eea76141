package io.linerate.fabric;

/** A program whose first use of the fabric is one call, for tests. */
final class FirstCallProgram {
  private FirstCallProgram() {}

  /**
   * Says what the call has returned.
   *
   * @param arguments which call
   */
  public static void main(String[] arguments) {
    String result =
        switch (arguments[0]) {
          case "version" -> Fabric.version();
          case "problem" -> Fabric.problem();
          case "providers" -> "" + Fabric.providers().size();
          default -> throw new IllegalArgumentException("no call: name=" + arguments[0]);
        };
    Commands.say("returned " + result);
  }
}
