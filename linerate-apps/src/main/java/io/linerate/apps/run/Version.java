package io.linerate.apps.run;

/** The version of the command. */
public final class Version {
  public static final String NUMBER = "0.1.0";

  private Version() {}
}
