package io.linerate.apps.run;

import io.linerate.core.counter.ProgramInfo;

/** The version of the command. */
public final class Version {
  public static final String NUMBER = ProgramInfo.VERSION;

  private Version() {}
}
