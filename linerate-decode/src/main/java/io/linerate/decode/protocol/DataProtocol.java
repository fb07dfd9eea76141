package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;

import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Protocol;

/** Bytes that no protocol is known for. */
public final class DataProtocol implements Protocol {
  public static final Fields DATA = Fields.of("data", "Data", "no document");
  public static final Field BYTES_OF_IT = DATA.floating("data.data", 0, BYTES, "Data");
  public static final Field LENGTH = DATA.floating("data.len", 32, DECIMAL, "Length");

  @Override
  public Fields fields() {
    return DATA;
  }

  @Override
  public void dissect(Dissection dissection) {
    int length = dissection.left();
    dissection.add(BYTES_OF_IT, length);
    dissection.value(LENGTH, length, -length, length);
  }
}
