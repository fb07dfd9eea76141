package io.linerate.dashboard.state;

import com.google.gson.stream.JsonWriter;
import java.io.IOException;

/** A part of what a program looks like: writes members into an object. */
@FunctionalInterface
public interface StateSource {
  void writeMembers(JsonWriter json) throws IOException;
}
