package io.linerate.filter.code;

import static io.linerate.filter.code.Opcodes.B;
import static io.linerate.filter.code.Opcodes.H;
import static io.linerate.filter.code.Opcodes.W;

import io.linerate.filter.syntax.Condition.Encapsulation;
import java.util.OptionalInt;

/** Headers that others lie in: VLAN, MPLS, PPPoE. What follows in the text is meant behind them. */
final class EncapsulationTests {
  private static final int VLAN_BYTES = 4;
  private static final int LABEL_BYTES = 4;
  private static final int PPPOE_BYTES = 6;

  private final Emitter emitter;
  private final LinkTests links;
  private final LinkLayout layout;
  private final GeneveTests geneve;

  EncapsulationTests(Emitter emitter, LinkTests links, PortTests ports) {
    this.emitter = emitter;
    this.links = links;
    layout = emitter.layout;
    geneve = new GeneveTests(emitter, ports);
  }

  Test of(Encapsulation encapsulation) {
    OptionalInt number = encapsulation.number();
    return switch (encapsulation.header()) {
      case VLAN -> vlan(number);
      case MPLS -> mpls(number);
      case PPPOE_DISCOVERY -> links.of(NetworkTypes.PPPOE_DISCOVERY);
      case PPPOE_SESSION -> pppoe(number);
      case GENEVE -> geneve.of(number);
    };
  }

  /** IEEE 802.1Q, clause 9.6. */
  private Test vlan(OptionalInt identifier) {
    if (layout.mplsLabels > 0) {
      throw emitter.wrong("found=vlan behind mpls; only ip and ip6 can follow it");
    }
    if (!Links.isEthernet(layout.link) && !Links.isWirelessWithoutPpi(layout.link)) {
      throw emitter.unsupported("found=vlan; its packets have none");
    }
    Test test = links.of(NetworkTypes.VLAN);
    test = test.or(links.of(NetworkTypes.SERVICE_VLAN));
    test = test.or(links.of(NetworkTypes.OLD_SERVICE_VLAN));
    if (identifier.isPresent()) {
      int value = emitter.limited("vlan", identifier.getAsInt(), 0xFFF);
      test = test.and(emitter.equal(Base.NETWORK, 0, H, value, 0xFFF));
    }
    layout.linkPayload.constant += VLAN_BYTES;
    layout.linkType.constant += VLAN_BYTES;
    return test;
  }

  /** RFC 3032, section 2.1: the lowest bit of the third byte is set in the last label. */
  private Test mpls(OptionalInt label) {
    Test test =
        layout.mplsLabels > 0
            ? emitter.equal(Base.PREVIOUS_MPLS_HEADER, 2, B, 0, 1)
            : links.of(mplsType());
    if (label.isPresent()) {
      int value = emitter.limited("mpls", label.getAsInt(), 0xF_FFFF);
      test = test.and(emitter.equal(Base.NETWORK, 0, W, value << 12, 0xFFFF_F000));
    }
    layout.networkWithoutSnap += LABEL_BYTES;
    layout.network += LABEL_BYTES;
    layout.mplsLabels++;
    return test;
  }

  private int mplsType() {
    if (layout.link == Links.C_HDLC || Links.isEthernet(layout.link)) {
      return NetworkTypes.MPLS;
    }
    if (layout.link == Links.PPP) {
      return NetworkTypes.PPP_MPLS;
    }
    throw emitter.unsupported("found=mpls; its packets have none");
  }

  /** RFC 2516, section 4. */
  private Test pppoe(OptionalInt session) {
    Test test = links.of(NetworkTypes.PPPOE_SESSION);
    if (session.isPresent()) {
      int value = emitter.limited("pppoes", session.getAsInt(), 0xFFFF);
      test = test.and(emitter.equal(Base.NETWORK, 0, W, value, 0xFFFF));
    }
    layout.enter(
        Links.PPP,
        layout.linkPayload.isVariable,
        layout.linkPayload.constant + layout.network + PPPOE_BYTES,
        layout.linkPayload.register);
    layout.linkType.copy(layout.linkHeader);
    layout.linkPayload.constant = layout.linkHeader.constant + 2;
    layout.network = 0;
    layout.networkWithoutSnap = 0;
    return test;
  }
}
