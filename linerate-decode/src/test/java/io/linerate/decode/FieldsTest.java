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

  @Test
  void shouldRefuseTablesThatCannotBeToldApart() {
    // The hashes of both names are equal.
    var first = new DispatchTable("Aa.table");
    var second = new DispatchTable("BB.table");
    Protocols one =
        Protocols.standard()
            .bind(first.key(7), "dns")
            .bind(DispatchTable.UDP_PORT.key(8053), "dns");
    assertThat(one.bindings()).containsKey(first.key(7));
    assertThatThrownBy(() -> one.bind(second.key(7), "ntp"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("BB.table")
        .hasMessageContaining("rename one table");
    assertThat(List.of(first.key(7))).doesNotContain(second.key(7));
  }
}
