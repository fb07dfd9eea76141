package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.FLAG;
import static io.linerate.decode.Kind.HEX;
import static io.linerate.decode.Kind.NONE;

import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Parts;
import io.linerate.decode.ValueNames;
import java.util.Map;

/** Descriptors of keys: of RC4 (IEEE 802.1X-2004), and of 802.11 with its handshakes. */
final class EapolKey {
  private static final int RC4 = 1;
  private static final int RSN = 2;
  private static final int WPA = 254;
  private static final int RSN_ELEMENT = 48;
  private static final int INFORMATION_MASK = 0x3FFF;
  private static final int MIC_BYTES = 16;

  private final Field type;
  private final Field message;
  private final Parts information;
  private final Field keyLength;
  private final Field replayCounter;
  private final Field nonce;
  private final Field vector;
  private final Field receiveCounter;
  private final Field keyId;
  private final Field mic;
  private final Field dataLength;
  private final Field data;
  private final Field element;
  private final Field elementNumber;
  private final Field elementLength;
  private final RsnElement rsn;
  private final Field keyIndex;
  private final Field keyIndexType;
  private final Field keyIndexNumber;
  private final Field signature;
  private final Field key;
  private final Field isLocal;
  private final Field body;

  EapolKey(Fields owner) {
    owner.source("IEEE 802.11, clause 12.7.2");
    type =
        owner.floating(
            "eapol.keydes.type",
            8,
            DECIMAL,
            "Type of the key descriptor",
            ValueNames.of(Map.of(RC4, "RC4", RSN, "RSN", WPA, "WPA")));
    message =
        owner.floating("wlan_rsna_eapol.keydes.msgnr", 8, DECIMAL, "Message of the handshake");
    String prefix = "wlan_rsna_eapol.keydes.key_info";
    information =
        owner
            .parts(prefix, 16, HEX, "Key information")
            .skip(2)
            .flag(prefix + ".smk_message", "SMK message")
            .flag(prefix + ".encrypted_key_data", "Key data are encrypted")
            .flag(prefix + ".request", "Request")
            .flag(prefix + ".error", "Error")
            .flag(prefix + ".secure", "Secure")
            .flag(prefix + ".key_mic", "MIC present")
            .flag(prefix + ".key_ack", "Ack wanted")
            .flag(prefix + ".install", "Install")
            .part(prefix + ".key_index", 2, DECIMAL, "Key index")
            .part(prefix + ".key_type", 1, FLAG, "Pairwise key")
            .part(prefix + ".keydes_version", 3, DECIMAL, "Version of the key descriptor");
    keyLength = owner.floating("eapol.keydes.key_len", 16, DECIMAL, "Length of the key");
    replayCounter = owner.floating("eapol.keydes.replay_counter", 64, DECIMAL, "Replay counter");
    nonce = owner.floating("wlan_rsna_eapol.keydes.nonce", 256, BYTES, "Nonce");
    vector = owner.floating("eapol.keydes.key_iv", 128, BYTES, "Initialization vector");
    receiveCounter = owner.floating("wlan_rsna_eapol.keydes.rsc", 64, BYTES, "Receive counter");
    keyId = owner.floating("wlan_rsna_eapol.keydes.id", 64, BYTES, "Identifier");
    mic = owner.floating("wlan_rsna_eapol.keydes.mic", 0, BYTES, "Message integrity code");
    dataLength =
        owner.floating("wlan_rsna_eapol.keydes.data_len", 16, DECIMAL, "Length of the key data");
    data = owner.floating("wlan_rsna_eapol.keydes.data", 0, BYTES, "Key data");
    element = owner.floating("wlan.tag", 0, NONE, "Element");
    elementNumber = owner.floating("wlan.tag.number", 8, DECIMAL, "Identifier of the element");
    elementLength = owner.floating("wlan.tag.length", 8, DECIMAL, "Length of the element");
    rsn = new RsnElement(owner);
    owner.source("IEEE 802.1X-2004, clause 7.6");
    keyIndex = owner.floating("eapol.keydes.key_index", 8, HEX, "Key index");
    keyIndexType = owner.floating("eapol.keydes.key_index.type", 8, FLAG, "Unicast key");
    keyIndexNumber = owner.floating("eapol.keydes.key_index.number", 8, DECIMAL, "Key number");
    signature = owner.floating("eapol.keydes.key_signature", 128, BYTES, "Signature");
    key = owner.floating("eapol.keydes.key", 0, BYTES, "Key");
    isLocal = owner.floating("eapol.keydes.key.generated_locally", 8, FLAG, "Key is made locally");
    body = owner.floating("eapol.keydes.body", 0, BYTES, "Body of the key descriptor");
  }

  void dissect(Dissection dissection) {
    switch ((int) dissection.add(type)) {
      case RC4 -> rc4(dissection);
      case RSN, WPA -> handshake(dissection);
      default -> dissection.addLeft(body);
    }
  }

  private void rc4(Dissection dissection) {
    int length = (int) dissection.add(keyLength);
    dissection.add(replayCounter);
    dissection.add(vector);
    int index = dissection.u8(0);
    dissection.add(keyIndex);
    dissection.value(keyIndexType, index >>> 7, -1, 1);
    dissection.value(keyIndexNumber, index & 0x7F, -1, 1);
    dissection.add(signature);
    if (length != 0) {
      boolean hasKey = dissection.left() > 0;
      dissection.addLeft(key);
      dissection.value(isLocal, hasKey ? 0 : 1, 0, 0);
    }
  }

  private void handshake(Dissection dissection) {
    int flags = dissection.u16(0) & INFORMATION_MASK;
    dissection.value(message, message(flags), 0, 0);
    dissection.add(information);
    dissection.add(keyLength);
    dissection.add(replayCounter);
    dissection.add(nonce);
    dissection.add(vector);
    dissection.add(receiveCounter);
    dissection.add(keyId);
    dissection.add(mic, MIC_BYTES);
    int length = (int) dissection.add(dataLength);
    if (length > 0) {
      boolean isClear = (flags & 0x1000) == 0;
      int before = dissection.enter(length);
      dissection.bytes(data, 0, dissection.left());
      if (isClear) {
        elements(dissection);
      }
      dissection.leave(before);
    }
  }

  /** Of the four of a handshake: what is asked for, and proven already. */
  private static int message(int flags) {
    boolean isAckWanted = (flags & 0x80) != 0;
    boolean isInstall = (flags & 0x40) != 0;
    boolean isSecure = (flags & 0x200) != 0;
    if (isAckWanted) {
      return isInstall ? 3 : 1;
    }
    return isSecure ? 4 : 2;
  }

  private void elements(Dissection dissection) {
    while (dissection.left() >= 2) {
      boolean isRsn = dissection.u8(0) == RSN_ELEMENT;
      int length = dissection.u8(1);
      if (isRsn) {
        dissection.open(element, 2 + length);
        dissection.add(elementNumber);
        dissection.add(elementLength);
        int before = dissection.enter(length);
        rsn.dissect(dissection);
        dissection.leave(before);
        dissection.close();
      } else {
        dissection.skip(2 + length);
      }
    }
  }
}
