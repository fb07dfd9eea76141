package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.HEX;

import io.linerate.decode.DispatchKey;
import io.linerate.decode.DispatchTable;
import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Parts;
import io.linerate.decode.Protocol;
import io.linerate.decode.Scan;
import java.util.List;

/** How the ends of a PPP link agree on compression, and on Microsoft's encryption. */
public final class CcpProtocol implements Protocol {
  public static final Fields CCP =
      Fields.of("ccp", "PPP Compression Control Protocol", "RFC 1962, section 2");
  private static final PppControl CONTROL = new PppControl(CCP);
  public static final Field OPTION_TYPE =
      CCP.source("RFC 1962, section 4").floating("ccp.opt.type", 8, DECIMAL, "Type of the option");
  public static final Field OPTION_LENGTH =
      CCP.floating("ccp.opt.length", 8, DECIMAL, "Length of the option");
  public static final Field ORGANISATION = CCP.floating("ccp.opt.oui", 24, DECIMAL, "Organisation");
  public static final Field SUBTYPE = CCP.floating("ccp.opt.subtype", 8, DECIMAL, "Subtype");
  public static final Field DATA = CCP.floating("ccp.opt.data", 0, BYTES, "Data of the option");
  public static final Field HISTORIES =
      CCP.source("RFC 1974, section 3")
          .floating("ccp.opt.history_count", 16, DECIMAL, "Number of histories");
  private static final Parts CHECK_MODE =
      CCP.parts("ccp.opt.cm", 8, DECIMAL, "Check mode")
          .part("ccp.opt.cm.reserved", 5, DECIMAL, "Reserved")
          .part("ccp.opt.cm.check_mode", 3, DECIMAL, "Mode");
  private static final Parts MICROSOFT =
      CCP.source("RFC 3078, section 2.1")
          .parts("ccp.opt.supported_bits", 32, HEX, "Supported")
          .skip(7)
          .flag("ccp.opt.supported_bits.h", "Stateless")
          .skip(16)
          .flag("ccp.opt.supported_bits.m", "Keys of 56 bits")
          .flag("ccp.opt.supported_bits.s", "Keys of 128 bits")
          .flag("ccp.opt.supported_bits.l", "Keys of 40 bits")
          .flag("ccp.opt.supported_bits.d", "Obsolete")
          .skip(3)
          .flag("ccp.opt.supported_bits.c", "Compression");
  private static final Parts BSD =
      CCP.source("RFC 1977, section 2")
          .parts("ccp.opt.vd", 8, HEX, "Version and dictionary")
          .part("ccp.opt.vd.vers", 3, DECIMAL, "Version")
          .part("ccp.opt.vd.dict", 5, DECIMAL, "Bits of codes");
  private static final Parts DEFLATE_WINDOW =
      CCP.source("RFC 1979, section 3")
          .parts(8)
          .part("ccp.opt.window", 4, DECIMAL, "Window")
          .part("ccp.opt.method", 4, DECIMAL, "Method");
  private static final Parts DEFLATE_CHECK =
      CCP.parts(8)
          .part("ccp.opt.mbz", 6, DECIMAL, "Reserved")
          .part("ccp.opt.chk", 2, DECIMAL, "Check");

  @Override
  public Fields fields() {
    return CCP;
  }

  @Override
  public List<DispatchKey> keys() {
    return List.of(DispatchTable.PPP_PROTOCOL.key(0x80FD));
  }

  @Override
  public void scan(Scan scan) {
    CONTROL.scan(scan);
  }

  @Override
  public void dissect(Dissection dissection) {
    CONTROL.dissect(dissection, CcpProtocol::option);
  }

  private static void option(Dissection dissection, int type, int count) {
    dissection.add(OPTION_TYPE);
    dissection.add(OPTION_LENGTH);
    switch (type) {
      case 0 -> {
        dissection.add(ORGANISATION);
        dissection.add(SUBTYPE);
      }
      case 17 -> {
        dissection.add(HISTORIES);
        dissection.add(CHECK_MODE);
      }
      case 18 -> dissection.add(MICROSOFT);
      case 21 -> dissection.add(BSD);
      case 26 -> {
        dissection.add(DEFLATE_WINDOW);
        dissection.add(DEFLATE_CHECK);
      }
      default -> {}
    }
    dissection.addLeft(DATA);
  }
}
