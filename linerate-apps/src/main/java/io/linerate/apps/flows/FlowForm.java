package io.linerate.apps.flows;

import io.linerate.track.flow.FlowJson;
import io.linerate.track.flow.FlowRecord;

/** How flows are printed. */
enum FlowForm {
  /** Lines for people. */
  TEXT,
  /** An object in a line. */
  JSON;

  /** A line, with its end. */
  void append(FlowRecord flow, StringBuilder text) {
    if (this == TEXT) {
      text.append(FlowLine.of(flow));
    } else {
      FlowJson.append(flow, text);
      text.append('\n');
    }
  }
}
