package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.HEX;
import static io.linerate.decode.Kind.NONE;

import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Parts;
import io.linerate.decode.ValueNames;

/** Which ciphers and authentication a wireless network has, or a station asks for. */
final class RsnElement {
  private static final ValueNames CIPHERS =
      ValueNames.from0(
          "Group cipher",
          "WEP-40",
          "TKIP",
          "",
          "CCMP-128",
          "WEP-104",
          "BIP-CMAC-128",
          "No group traffic",
          "GCMP-128",
          "GCMP-256",
          "CCMP-256");
  private static final ValueNames AUTHENTICATIONS =
      ValueNames.from0(
          "",
          "802.1X",
          "PSK",
          "FT over 802.1X",
          "FT with PSK",
          "802.1X with SHA-256",
          "PSK with SHA-256",
          "TDLS",
          "SAE",
          "FT with SAE");

  private final Field version;
  private final Suite group;
  private final Field pairwiseCount;
  private final Field pairwiseList;
  private final Suite pairwise;
  private final Field authenticationCount;
  private final Field authenticationList;
  private final Suite authentication;
  private final Parts capabilities;
  private final Field keyIdCount;
  private final Field keyIdList;
  private final Field keyId;
  private final Suite groupManagement;

  RsnElement(Fields owner) {
    owner.source("IEEE 802.11, clause 9.4.2.24");
    owner.littleEndian();
    version = owner.floating("wlan.rsn.version", 16, DECIMAL, "Version");
    group = new Suite(owner, "wlan.rsn.gcs", "Group cipher", CIPHERS);
    pairwiseCount = owner.floating("wlan.rsn.pcs.count", 16, DECIMAL, "Number of ciphers");
    pairwiseList = owner.floating("wlan.rsn.pcs.list", 0, NONE, "Pairwise ciphers");
    pairwise = new Suite(owner, "wlan.rsn.pcs", "Pairwise cipher", CIPHERS);
    authenticationCount =
        owner.floating("wlan.rsn.akms.count", 16, DECIMAL, "Number of authentications");
    authenticationList = owner.floating("wlan.rsn.akms.list", 0, NONE, "Authentications");
    authentication = new Suite(owner, "wlan.rsn.akms", "Authentication", AUTHENTICATIONS);
    capabilities = capabilities(owner);
    keyIdCount = owner.floating("wlan.rsn.pmkid.count", 16, DECIMAL, "Number of master keys");
    keyIdList = owner.floating("wlan.rsn.pmkid.list", 0, NONE, "Master keys");
    keyId = owner.floating("wlan.pmkid.akms", 128, BYTES, "Master key");
    groupManagement = new Suite(owner, "wlan.rsn.gmcs", "Group management cipher", CIPHERS);
  }

  private static Parts capabilities(Fields owner) {
    String prefix = "wlan.rsn.capabilities";
    return owner
        .parts(prefix, 16, HEX, "Capabilities")
        .skip(2)
        .flag(prefix + ".extended_key_id_iaf", "Extended key identifiers")
        .skip(3)
        .flag(prefix + ".peerkey", "Peer keys")
        .flag(prefix + ".jmr", "Joint multi-band")
        .flag(prefix + ".mfpc", "Management frames can be protected")
        .flag(prefix + ".mfpr", "Management frames must be protected")
        .part(prefix + ".gtksa_replay_counter", 2, HEX, "Replay counters of group keys")
        .part(prefix + ".ptksa_replay_counter", 2, HEX, "Replay counters of pairwise keys")
        .flag(prefix + ".no_pairwise", "No pairwise keys")
        .flag(prefix + ".preauth", "Pre-authentication");
  }

  /** Behind the length: every part but the first may be missing, with all that follow it. */
  void dissect(Dissection dissection) {
    dissection.add(version);
    if (dissection.left() > 0) {
      group.dissect(dissection);
    }
    list(dissection, pairwiseCount, pairwiseList, pairwise);
    list(dissection, authenticationCount, authenticationList, authentication);
    if (dissection.left() > 0) {
      dissection.add(capabilities);
    }
    if (dissection.left() > 0) {
      int count = (int) dissection.add(keyIdCount);
      if (count > 0) {
        dissection.open(keyIdList, 16 * count);
        for (int i = 0; i < count && dissection.left() > 0; i++) {
          dissection.add(keyId);
        }
        dissection.close();
      }
    }
    if (dissection.left() > 0) {
      groupManagement.dissect(dissection);
    }
  }

  static void list(Dissection dissection, Field count, Field list, Suite suite) {
    if (dissection.left() == 0) {
      return;
    }
    int suites = (int) dissection.add(count);
    dissection.open(list, Suite.BYTES * suites);
    for (int i = 0; i < suites && dissection.left() > 0; i++) {
      suite.dissect(dissection);
    }
    dissection.close();
  }

  /** An organisation, and a type of it. */
  static final class Suite {
    static final int BYTES = 4;

    private final Field whole;
    private final Field organisation;
    private final Field type;

    Suite(Fields owner, String name, String label, ValueNames types) {
      this(owner, name, name + ".type", label, types);
    }

    Suite(Fields owner, String name, String typeName, String label, ValueNames types) {
      whole = owner.floating(name, 32, DECIMAL, label);
      organisation = owner.floating(name + ".oui", 24, DECIMAL, "Organisation");
      type = owner.floating(typeName, 8, DECIMAL, "Type", types);
    }

    void dissect(Dissection dissection) {
      long suite = dissection.u32(0);
      if (dissection.has(BYTES)) {
        dissection.value(whole, suite, 0, BYTES);
        dissection.value(organisation, suite >>> 8, 0, 3);
        dissection.value(type, suite & 0xFF, 3, 1);
      }
      dissection.skip(BYTES);
    }
  }
}
