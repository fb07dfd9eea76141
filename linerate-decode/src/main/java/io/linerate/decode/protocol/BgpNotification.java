package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.TEXT;
import static io.linerate.decode.protocol.BgpProtocol.BGP;

import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.ValueNames;

/** Notifications of BGP: an error code, a subcode that depends on it, and data. */
final class BgpNotification {
  private static final int HEADER_ERROR = 1;
  private static final int OPEN_ERROR = 2;
  private static final int UPDATE_ERROR = 3;
  private static final int TIMER_EXPIRED = 4;
  private static final int STATE_ERROR = 5;
  private static final int CEASE = 6;
  private static final int CAPABILITY_ERROR = 7;
  private static final int BAD_PEER = 2;
  private static final int UNSUPPORTED_CAPABILITY = 7;
  private static final int SHUTDOWN = 2;
  private static final int RESET = 4;

  private static final Field ERROR =
      BGP.source("RFC 4271, section 4.5")
          .floating(
              "bgp.notify.major_error",
              8,
              DECIMAL,
              "Error",
              ValueNames.from0(
                  "Reserved",
                  "Message header",
                  "Open message",
                  "Update message",
                  "Hold timer expired",
                  "Finite state machine",
                  "Cease",
                  "Capability message"));
  private static final Field MINOR =
      BGP.floating("bgp.notify.minor_error", 8, DECIMAL, "Error of the header");
  private static final Field MINOR_OPEN =
      BGP.floating("bgp.notify.minor_error_open", 8, DECIMAL, "Error of the open message");
  private static final Field MINOR_UPDATE =
      BGP.floating("bgp.notify.minor_error_update", 8, DECIMAL, "Error of the update");
  private static final Field MINOR_EXPIRED =
      BGP.floating("bgp.notify.minor_error_expired", 8, DECIMAL, "Hold timer expired");
  private static final Field MINOR_STATE =
      BGP.floating("bgp.notify.minor_error_state", 8, DECIMAL, "Error of the state machine");
  private static final Field MINOR_CEASE =
      BGP.floating("bgp.notify.minor_error_cease", 8, DECIMAL, "Reason to cease");
  private static final Field MINOR_CAPABILITY =
      BGP.floating("bgp.notify.minor_error_capability", 8, DECIMAL, "Error of the capability");
  private static final Field MINOR_UNKNOWN =
      BGP.floating("bgp.notify.minor_error_unknown", 8, DECIMAL, "Error of unknown kind");
  private static final Field PEER =
      BGP.floating("bgp.notify.error_open.bad_peer_as", 32, DECIMAL, "Bad peer");
  private static final Field REASON_LENGTH =
      BGP.source("RFC 9003, section 2")
          .floating("bgp.notify.communication_length", 8, DECIMAL, "Length of the reason");
  private static final Field REASON = BGP.floating("bgp.notify.communication", 0, TEXT, "Reason");
  private static final Field DATA =
      BGP.source("RFC 4271, section 4.5")
          .floating("bgp.notify.minor_data", 0, BYTES, "Data of the error");

  private BgpNotification() {}

  /** Declares the fields: BGP's are complete only then. */
  static void declare() {}

  static void dissect(Dissection dissection) {
    int error = (int) dissection.add(ERROR);
    int minor = (int) dissection.add(minor(error));
    if (dissection.left() == 0) {
      return;
    }
    if (error == OPEN_ERROR && minor == BAD_PEER && dissection.left() <= 4) {
      dissection.add(PEER, dissection.left());
    } else if (error == OPEN_ERROR && minor == UNSUPPORTED_CAPABILITY) {
      BgpOpen.capabilities(dissection);
    } else if (error == CEASE && (minor == SHUTDOWN || minor == RESET)) {
      int length = (int) dissection.add(REASON_LENGTH);
      dissection.add(REASON, length);
    }
    dissection.addLeft(DATA);
  }

  private static Field minor(int error) {
    return switch (error) {
      case HEADER_ERROR -> MINOR;
      case OPEN_ERROR -> MINOR_OPEN;
      case UPDATE_ERROR -> MINOR_UPDATE;
      case TIMER_EXPIRED -> MINOR_EXPIRED;
      case STATE_ERROR -> MINOR_STATE;
      case CEASE -> MINOR_CEASE;
      case CAPABILITY_ERROR -> MINOR_CAPABILITY;
      default -> MINOR_UNKNOWN;
    };
  }
}
