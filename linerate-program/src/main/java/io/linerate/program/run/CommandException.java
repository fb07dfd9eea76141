package io.linerate.program.run;

/**
 * A command could not do what it was rightly asked for: {@link ExitStatus#FAILED}. What the user
 * must ask for in another way is a {@link io.linerate.core.config.ConfigException}.
 */
public final class CommandException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * @param message what went wrong, {@code name=value}, and what to do
   */
  public CommandException(String message) {
    super(message);
  }
}
