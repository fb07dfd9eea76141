package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.DURATION;
import static io.linerate.decode.Kind.TIME;

import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Frame;
import io.linerate.decode.Protocol;

/** What is known of a packet beside its bytes: no layer of it, but what comes before the first. */
public final class FrameProtocol implements Protocol {
  public static final Fields FRAME = Fields.of("frame", "Frame", "the capture");
  public static final Field TIME_EPOCH =
      FRAME.floating("frame.time_epoch", 64, DURATION, "Time since the epoch");
  public static final Field TIME_UTC = FRAME.floating("frame.time", 64, TIME, "Time");
  public static final Field TIME_DELTA =
      FRAME.floating("frame.time_delta", 64, DURATION, "Time since the packet before");
  public static final Field TIME_RELATIVE =
      FRAME.floating("frame.time_relative", 64, DURATION, "Time since the first packet");
  public static final Field NUMBER = FRAME.floating("frame.number", 32, DECIMAL, "Number");
  public static final Field LENGTH = FRAME.floating("frame.len", 32, DECIMAL, "Length on the wire");
  public static final Field CAPTURED_LENGTH =
      FRAME.floating("frame.cap_len", 32, DECIMAL, "Length captured");

  @Override
  public Fields fields() {
    return FRAME;
  }

  @Override
  public void dissect(Dissection dissection) {
    Frame frame = dissection.frame();
    dissection.value(TIME_UTC, frame.timestampNs(), 0, 0);
    dissection.value(TIME_EPOCH, frame.timestampNs(), 0, 0);
    dissection.value(TIME_DELTA, frame.deltaNs(), 0, 0);
    dissection.value(TIME_RELATIVE, frame.relativeNs(), 0, 0);
    dissection.value(NUMBER, frame.number(), 0, 0);
    dissection.value(LENGTH, frame.lengthBytes(), 0, 0);
    dissection.value(CAPTURED_LENGTH, frame.capturedBytes(), 0, 0);
  }
}
