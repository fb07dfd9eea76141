package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.TEXT;

import io.linerate.decode.DispatchKey;
import io.linerate.decode.DispatchTable;
import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Protocol;
import io.linerate.decode.Scan;
import io.linerate.decode.ValueNames;
import java.util.List;

/** The trivial file transfer protocol; only requests go to its port. */
public final class TftpProtocol implements Protocol {
  public static final Fields TFTP =
      Fields.of("tftp", "Trivial File Transfer Protocol", "RFC 1350, section 5");
  public static final Field OPERATION =
      TFTP.field(
          "tftp.opcode",
          16,
          DECIMAL,
          "Operation",
          ValueNames.from0(
              "",
              "read request",
              "write request",
              "data",
              "acknowledgment",
              "error",
              "option acknowledgment"));
  public static final Field SOURCE = TFTP.floating("tftp.source_file", 0, TEXT, "File to read");
  public static final Field DESTINATION =
      TFTP.floating("tftp.destination_file", 0, TEXT, "File to write");
  public static final Field MODE = TFTP.floating("tftp.type", 0, TEXT, "Mode");
  public static final Field BLOCK = TFTP.floating("tftp.block", 16, DECIMAL, "Block");
  public static final Field ERROR =
      TFTP.floating(
          "tftp.error.code",
          16,
          DECIMAL,
          "Error",
          ValueNames.from0(
              "not defined",
              "file not found",
              "access violation",
              "disk full",
              "illegal operation",
              "unknown transfer",
              "file exists",
              "no such user",
              "option refused"));
  public static final Field MESSAGE = TFTP.floating("tftp.error.message", 0, TEXT, "Message");
  public static final Field OPTION =
      TFTP.source("RFC 2347").floating("tftp.option.name", 0, TEXT, "Option");
  public static final Field OPTION_VALUE =
      TFTP.floating("tftp.option.value", 0, TEXT, "Option's value");

  private static final int READ = 1;
  private static final int WRITE = 2;
  private static final int DATA = 3;
  private static final int ACKNOWLEDGMENT = 4;
  private static final int FAILURE = 5;
  private static final int OPTIONS = 6;
  private static final int DATA_HEADER_BYTES = 4;

  static {
    TFTP.summary(
        "tftp.opcode",
        "tftp.source_file",
        "tftp.destination_file",
        "tftp.type",
        "block=|tftp.block",
        "tftp.error.code",
        "tftp.error.message");
  }

  @Override
  public Fields fields() {
    return TFTP;
  }

  @Override
  public List<DispatchKey> keys() {
    return List.of(DispatchTable.UDP_PORT.key(69));
  }

  @Override
  public void scan(Scan scan) {
    if (scan.number(OPERATION) == DATA) {
      scan.header(DATA_HEADER_BYTES);
    }
  }

  @Override
  public void dissect(Dissection dissection) {
    dissection.fixed();
    if (dissection.offset() < 2) {
      return;
    }
    switch ((int) dissection.layer().value(OPERATION)) {
      case READ -> request(dissection, SOURCE);
      case WRITE -> request(dissection, DESTINATION);
      case DATA, ACKNOWLEDGMENT -> dissection.add(BLOCK);
      case FAILURE -> {
        dissection.add(ERROR);
        text(dissection, MESSAGE);
      }
      case OPTIONS -> options(dissection);
      default -> dissection.malformed();
    }
  }

  private static void request(Dissection dissection, Field file) {
    text(dissection, file);
    text(dissection, MODE);
    options(dissection);
  }

  private static void options(Dissection dissection) {
    while (dissection.left() > 0) {
      text(dissection, OPTION);
      text(dissection, OPTION_VALUE);
    }
  }

  /** A text that ends with a zero. */
  private static void text(Dissection dissection, Field field) {
    int end = dissection.indexOf(0, 0);
    if (end < 0) {
      dissection.skip(dissection.left() + 1);
    } else {
      dissection.add(field, end + 1);
    }
  }
}
