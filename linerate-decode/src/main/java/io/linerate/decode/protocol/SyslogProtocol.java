package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.TEXT;
import static io.linerate.decode.Kind.TIME;

import io.linerate.decode.DispatchKey;
import io.linerate.decode.DispatchTable;
import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Protocol;
import io.linerate.decode.ValueNames;
import java.util.List;

/** A message of syslog, of either of its two forms. */
public final class SyslogProtocol implements Protocol {
  public static final Fields SYSLOG = Fields.of("syslog", "Syslog", "RFC 5424, section 6.2.1");
  public static final Field FACILITY =
      SYSLOG.floating(
          "syslog.facility",
          8,
          DECIMAL,
          "Facility",
          ValueNames.from0(
              "kern",
              "user",
              "mail",
              "daemon",
              "auth",
              "syslog",
              "lpr",
              "news",
              "uucp",
              "cron",
              "authpriv",
              "ftp",
              "ntp",
              "audit",
              "alert",
              "clock",
              "local0",
              "local1",
              "local2",
              "local3",
              "local4",
              "local5",
              "local6",
              "local7"));
  public static final Field LEVEL =
      SYSLOG.floating(
          "syslog.level",
          3,
          DECIMAL,
          "Severity",
          ValueNames.from0(
              "emergency",
              "alert",
              "critical",
              "error",
              "warning",
              "notice",
              "informational",
              "debug"));
  public static final Field MESSAGE = SYSLOG.floating("syslog.msg", 0, TEXT, "Message");
  public static final Field VERSION =
      SYSLOG.source("RFC 5424, section 6.2").floating("syslog.version", 0, TEXT, "Version");
  public static final Field TIMESTAMP = SYSLOG.floating("syslog.timestamp", 64, TIME, "Time");
  public static final Field OLD_TIMESTAMP =
      SYSLOG
          .source("RFC 3164, section 4.1.2")
          .floating("syslog.timestamp_rfc3164", 0, TEXT, "Time");
  public static final Field HOST =
      SYSLOG.source("RFC 5424, section 6.2").floating("syslog.hostname", 0, TEXT, "Host");
  public static final Field APPLICATION = SYSLOG.floating("syslog.appname", 0, TEXT, "Application");
  public static final Field PROCESS = SYSLOG.floating("syslog.procid", 0, TEXT, "Process");
  public static final Field REST =
      SYSLOG.floating("syslog.msgid", 0, TEXT, "Message identifier, and what follows");

  private static final int MOST_DIGITS = 3;

  /** Such as {@code Oct 11 22:14:15}. */
  private static final int OLD_TIMESTAMP_BYTES = 15;

  private static final long NO_TIME = Long.MIN_VALUE;

  static {
    SYSLOG.summary(
        "syslog.facility", "syslog.level", "syslog.hostname", "syslog.appname", "syslog.msg");
  }

  @Override
  public Fields fields() {
    return SYSLOG;
  }

  @Override
  public List<DispatchKey> keys() {
    return List.of(DispatchTable.UDP_PORT.key(514));
  }

  @Override
  public void dissect(Dissection dissection) {
    int bytes = priority(dissection);
    if (bytes < 0) {
      dissection.skip(dissection.left() + 1);
      return;
    }
    dissection.skip(bytes);
    int left = dissection.left();
    dissection.bytes(MESSAGE, 0, left);
    if (left > 2 && dissection.u8(0) == '1' && dissection.u8(1) == ' ') {
      parts(dissection);
    } else if (left > OLD_TIMESTAMP_BYTES && isOld(dissection)) {
      oldParts(dissection);
    }
  }

  /** Bytes of the priority in brackets, 0 if there is none; -1 if it is not there as a whole. */
  private static int priority(Dissection dissection) {
    if (dissection.left() == 0 || dissection.u8(0) != '<') {
      return 0;
    }
    int value = 0;
    for (int i = 1; i <= MOST_DIGITS + 1; i++) {
      if (!dissection.has(i + 1)) {
        return -1;
      }
      int digit = dissection.u8(i) - '0';
      if (digit < 0 || digit > 9 || i > MOST_DIGITS) {
        int end = dissection.u8(i) == '>' ? i + 1 : i;
        if (!dissection.has(end + 1)) {
          return -1;
        }
        dissection.value(FACILITY, value >>> 3, 0, end);
        dissection.value(LEVEL, value & 7, 0, end);
        return end;
      }
      value = 10 * value + digit;
    }
    return 0;
  }

  /** A word, and the space behind it; the cursor is at a word. */
  private static boolean word(Dissection dissection, Field field) {
    int space = dissection.indexOf(' ', 0);
    if (space < 0) {
      return false;
    }
    dissection.bytes(field, 0, space);
    dissection.skip(space + 1);
    return true;
  }

  private static void parts(Dissection dissection) {
    word(dissection, VERSION);
    int space = dissection.indexOf(' ', 0);
    if (space < 0) {
      return;
    }
    long ns = time(dissection, space);
    if (ns != NO_TIME) {
      dissection.value(TIMESTAMP, ns, 0, space);
    } else if (space != 1) {
      return;
    }
    dissection.skip(space + 1);
    if (word(dissection, HOST)
        && word(dissection, APPLICATION)
        && word(dissection, PROCESS)
        && dissection.left() > 0) {
      dissection.add(REST, dissection.left());
    }
  }

  private static long time(Dissection dissection, int end) {
    StringBuilder text = dissection.text();
    for (int i = 0; i < end && i < Iso8601.MOST_LETTERS; i++) {
      text.append((char) dissection.u8(i));
    }
    return Iso8601.isTime(text) ? Iso8601.ns(text) : NO_TIME;
  }

  private static boolean isOld(Dissection dissection) {
    int first = dissection.u8(0);
    return first >= 'A'
        && first <= 'Z'
        && dissection.u8(3) == ' '
        && dissection.u8(OLD_TIMESTAMP_BYTES) == ' ';
  }

  private static void oldParts(Dissection dissection) {
    dissection.add(OLD_TIMESTAMP, OLD_TIMESTAMP_BYTES);
    dissection.skip(1);
    if (!word(dissection, HOST)) {
      return;
    }
    int end = 0;
    while (dissection.has(end + 1) && Character.isLetterOrDigit(dissection.u8(end))) {
      end++;
    }
    if (dissection.left() > end) {
      dissection.add(PROCESS, end);
      dissection.add(REST, dissection.left());
    }
  }
}
