package io.linerate.decode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.linerate.decode.protocol.DnsProtocol;
import java.util.List;
import org.junit.jupiter.api.Test;

class FieldsTest {
  @Test
  void shouldRefuseNumbersThatAreTooWide() {
    Fields fields = Fields.of("x", "X", "none");
    assertThatThrownBy(() -> fields.field("x.a", 70, Kind.DECIMAL, "A"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("field=x.a, bits=70, kind=DECIMAL");
    assertThat(Fields.of("y", "Y", "none").field("y.b", 128, Kind.BYTES, "B").bytes())
        .isEqualTo(16);
  }

  @Test
  void shouldTakeAProtocolInThePlaceOfOneOfItsClass() {
    Protocol dns = new DnsProtocol();
    Protocols protocols = Protocols.standard().with(dns);
    assertThat(protocols.named("dns")).isSameAs(dns);
    assertThat(protocols.all()).hasSameSizeAs(Protocols.standard().all());
    assertThat(protocols.bindings().get(DispatchTable.UDP_PORT.key(53))).isSameAs(dns);
  }

  /** One without fields, found by the number 7 of a table. */
  private record Numbered(Fields fields, DispatchTable table) implements Protocol {
    static Numbered of(String name, String table) {
      return new Numbered(Fields.of(name, name, "none"), new DispatchTable(table));
    }

    @Override
    public List<DispatchKey> keys() {
      return List.of(table.key(7));
    }
  }

  @Test
  void shouldRefuseTablesThatCannotBeToldApart() {
    // The hashes of both names are equal.
    Protocol first = Numbered.of("first", "Aa.table");
    Protocol second = Numbered.of("second", "BB.table");
    assertThat(Protocols.of(List.of(first)).all()).containsExactly(first);
    List<Protocol> both = List.of(first, second);
    assertThatThrownBy(() -> Protocols.of(both))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("number=7")
        .hasMessageContaining("rename one table");
  }
}
