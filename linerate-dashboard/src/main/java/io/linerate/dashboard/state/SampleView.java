package io.linerate.dashboard.state;

import com.google.gson.stream.JsonWriter;
import java.io.IOException;

/** A part of what a program looks like: writes members into an object, of samples. */
@FunctionalInterface
interface SampleView {
  void writeMembers(JsonWriter json, SampleTable table) throws IOException;
}
