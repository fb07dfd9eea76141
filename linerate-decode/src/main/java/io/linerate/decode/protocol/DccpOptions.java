package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.HEX;
import static io.linerate.decode.Kind.NONE;
import static io.linerate.decode.protocol.DccpProtocol.DCCP;

import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.ValueNames;
import java.util.Map;

/** The options of DCCP: one byte below 32, or type, length of all of it, and data. */
final class DccpOptions {
  private static final int PADDING_TYPE = 0;
  private static final int MANDATORY_TYPE = 1;
  private static final int SLOW_RECEIVER_TYPE = 2;
  private static final int FIRST_LONG = 32;
  private static final int CHANGE_L = 32;
  private static final int CONFIRM_R = 35;
  private static final int COOKIE_TYPE = 36;
  private static final int NDP_COUNT_TYPE = 37;
  private static final int ACK_VECTOR_0 = 38;
  private static final int ACK_VECTOR_1 = 39;
  private static final int DROPPED_TYPE = 40;
  private static final int TIMESTAMP_TYPE = 41;
  private static final int TIMESTAMP_ECHO_TYPE = 42;
  private static final int ELAPSED_TIME_TYPE = 43;
  private static final int DATA_CHECKSUM_TYPE = 44;
  private static final int FIRST_OF_CCID = 128;
  private static final int LOSS_EVENT_RATE_TYPE = 192;
  private static final int LOSS_INTERVALS_TYPE = 193;
  private static final int RECEIVE_RATE_TYPE = 194;

  private static final Field OPTIONS =
      DCCP.source("RFC 4340, section 5.8").floating("dccp.options", 0, NONE, "Options");
  private static final Field TYPE =
      DCCP.floating(
          "dccp.option_type",
          8,
          DECIMAL,
          "Option",
          ValueNames.of(
              Map.ofEntries(
                  Map.entry(PADDING_TYPE, "Padding"),
                  Map.entry(MANDATORY_TYPE, "Mandatory"),
                  Map.entry(SLOW_RECEIVER_TYPE, "Slow receiver"),
                  Map.entry(CHANGE_L, "Change L"),
                  Map.entry(33, "Confirm L"),
                  Map.entry(34, "Change R"),
                  Map.entry(CONFIRM_R, "Confirm R"),
                  Map.entry(COOKIE_TYPE, "Init cookie"),
                  Map.entry(NDP_COUNT_TYPE, "NDP count"),
                  Map.entry(ACK_VECTOR_0, "Ack vector, nonce 0"),
                  Map.entry(ACK_VECTOR_1, "Ack vector, nonce 1"),
                  Map.entry(DROPPED_TYPE, "Data dropped"),
                  Map.entry(TIMESTAMP_TYPE, "Timestamp"),
                  Map.entry(TIMESTAMP_ECHO_TYPE, "Timestamp echo"),
                  Map.entry(ELAPSED_TIME_TYPE, "Elapsed time"),
                  Map.entry(DATA_CHECKSUM_TYPE, "Data checksum"))));
  private static final Field LENGTH =
      DCCP.floating("dccp.option_length", 8, DECIMAL, "Option length");
  private static final Field PADDING = DCCP.floating("dccp.padding", 8, BYTES, "Padding");
  private static final Field MANDATORY = DCCP.floating("dccp.mandatory", 8, BYTES, "Mandatory");
  private static final Field SLOW_RECEIVER =
      DCCP.floating("dccp.slow_receiver", 8, BYTES, "Slow receiver");
  private static final Field FEATURE =
      DCCP.source("RFC 4340, section 6").floating("dccp.feature_number", 8, DECIMAL, "Feature");
  private static final Field FEATURE_VALUE =
      DCCP.floating("dccp.feature_value", 0, BYTES, "Feature value");
  private static final Field COOKIE =
      DCCP.source("RFC 4340, section 8.1.4").floating("dccp.init_cookie", 0, BYTES, "Cookie");
  private static final Field NDP_COUNT =
      DCCP.source("RFC 4340, section 7.7")
          .floating("dccp.ndp_count", 0, DECIMAL, "Packets without data");
  private static final Field VECTOR_0 =
      DCCP.source("RFC 4340, section 11.4")
          .floating("dccp.ack_vector.nonce_0", 0, BYTES, "Ack vector");
  private static final Field VECTOR_1 =
      DCCP.floating("dccp.ack_vector.nonce_1", 0, BYTES, "Ack vector");
  private static final Field DROPPED =
      DCCP.source("RFC 4340, section 11.7").floating("dccp.data_dropped", 0, BYTES, "Data dropped");
  private static final Field TIMESTAMP =
      DCCP.source("RFC 4340, section 13.1").floating("dccp.timestamp", 32, DECIMAL, "Timestamp");
  private static final Field TIMESTAMP_ECHO =
      DCCP.floating("dccp.timestamp_echo", 32, DECIMAL, "Timestamp echo");
  private static final Field ELAPSED =
      DCCP.floating("dccp.elapsed_time", 0, DECIMAL, "Elapsed time in units of 10 µs");
  private static final Field DATA_CHECKSUM =
      DCCP.source("RFC 4340, section 9.3").floating("dccp.checksum_data", 32, HEX, "Data checksum");
  private static final Field LOSS_RATE =
      DCCP.source("RFC 4342, section 8.5")
          .floating("dccp.ccid3_loss_event_rate", 32, DECIMAL, "Loss event rate");
  private static final Field LOSS_INTERVALS =
      DCCP.floating("dccp.ccid3_loss_intervals", 0, BYTES, "Loss intervals");
  private static final Field RECEIVE_RATE =
      DCCP.floating("dccp.ccid3_receive_rate", 32, DECIMAL, "Receive rate");
  private static final Field RESERVED =
      DCCP.source("RFC 4340, section 5.8").floating("dccp.option_reserved", 0, BYTES, "Reserved");
  private static final Field OF_CCID =
      DCCP.floating("dccp.ccid_option_data", 0, BYTES, "Option of the congestion control");

  private DccpOptions() {}

  /** Declares the fields: DCCP's are complete only then. */
  static void declare() {}

  /** Goes through all options of a header. */
  static void dissect(Dissection dissection) {
    if (dissection.left() == 0) {
      return;
    }
    dissection.open(OPTIONS, dissection.left());
    while (dissection.left() > 0) {
      int type = dissection.u8(0);
      if (type < FIRST_LONG) {
        dissection.value(TYPE, type, 0, 1);
        single(dissection, type);
      } else if (!multiple(dissection)) {
        break;
      }
    }
    dissection.close();
  }

  private static void single(Dissection dissection, int type) {
    dissection.add(
        switch (type) {
          case PADDING_TYPE -> PADDING;
          case MANDATORY_TYPE -> MANDATORY;
          case SLOW_RECEIVER_TYPE -> SLOW_RECEIVER;
          default -> RESERVED;
        },
        1);
  }

  private static boolean multiple(Dissection dissection) {
    int type = (int) dissection.add(TYPE);
    int length = (int) dissection.add(LENGTH);
    int before = dissection.enter(length - 2);
    if (dissection.left() >= 0) {
      data(dissection, type);
    }
    dissection.leave(before);
    return dissection.left() > 0;
  }

  private static void data(Dissection dissection, int type) {
    switch (type) {
      case COOKIE_TYPE -> dissection.addLeft(COOKIE);
      case NDP_COUNT_TYPE -> {
        if (dissection.left() <= 6) {
          dissection.addLeft(NDP_COUNT);
        } else {
          dissection.malformed();
        }
      }
      case ACK_VECTOR_0 -> dissection.addLeft(VECTOR_0);
      case ACK_VECTOR_1 -> dissection.addLeft(VECTOR_1);
      case DROPPED_TYPE -> dissection.addLeft(DROPPED);
      case TIMESTAMP_TYPE -> dissection.add(TIMESTAMP);
      case TIMESTAMP_ECHO_TYPE -> {
        dissection.add(TIMESTAMP_ECHO);
        elapsed(dissection);
      }
      case ELAPSED_TIME_TYPE -> elapsed(dissection);
      case DATA_CHECKSUM_TYPE -> dissection.add(DATA_CHECKSUM);
      case LOSS_EVENT_RATE_TYPE -> dissection.add(LOSS_RATE);
      case LOSS_INTERVALS_TYPE -> dissection.addLeft(LOSS_INTERVALS);
      case RECEIVE_RATE_TYPE -> dissection.add(RECEIVE_RATE);
      default -> other(dissection, type);
    }
  }

  private static void other(Dissection dissection, int type) {
    if (type <= CONFIRM_R) {
      dissection.add(FEATURE);
      dissection.addLeft(FEATURE_VALUE);
    } else {
      dissection.addLeft(type >= FIRST_OF_CCID ? OF_CCID : RESERVED);
    }
  }

  private static void elapsed(Dissection dissection) {
    int bytes = dissection.left();
    if (bytes == 2 || bytes == 4) {
      dissection.add(ELAPSED, bytes);
    } else if (bytes > 0) {
      dissection.malformed();
    }
  }
}
