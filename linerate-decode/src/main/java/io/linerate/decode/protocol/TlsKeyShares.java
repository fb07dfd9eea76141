package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.NONE;

import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Kind;

/** The extensions of TLS hellos that exchange keys; RFC 8446, sections 4.2.8 and 4.2.11. */
final class TlsKeyShares {
  private static final Fields TLS = TlsProtocol.TLS.source("RFC 8446, section 4.2.8");
  private static final Field SHARES_LENGTH =
      field("extensions_key_share_client_length", 16, DECIMAL, "Key shares length");
  private static final Field GROUP =
      TLS.floating(
          "tls.handshake.extensions_key_share_group", 16, DECIMAL, "Group", TlsNames.GROUPS);
  private static final Field KEY_LENGTH =
      field("extensions_key_share_key_exchange_length", 16, DECIMAL, "Key length");
  private static final Field KEY = field("extensions_key_share_key_exchange", 0, BYTES, "Key");
  private static final Field SELECTED_GROUP =
      field("extensions_key_share_selected_group", 16, DECIMAL, "Selected group");
  private static final Field IDENTITIES_LENGTH =
      TLS.source("RFC 8446, section 4.2.11")
          .floating(
              "tls.handshake.extensions.psk.identities.length", 16, DECIMAL, "Identities length");
  private static final Field IDENTITY_LENGTH =
      field("extensions.psk.identity.identity_length", 16, DECIMAL, "Identity length");
  private static final Field IDENTITY =
      field("extensions.psk.identity.identity", 0, BYTES, "Identity");
  private static final Field AGE =
      field("extensions.psk.identity.obfuscated_ticket_age", 32, DECIMAL, "Obfuscated age");
  private static final Field BINDERS_LENGTH =
      field("extensions.psk.binders_len", 16, DECIMAL, "Binders length");
  private static final Field BINDERS = field("extensions.psk.binders", 0, NONE, "Binders");
  private static final Field SELECTED =
      field("extensions.psk.identity.selected", 16, DECIMAL, "Selected identity");

  private TlsKeyShares() {}

  /** Has the fields declared, with those of the protocol. */
  static void declare() {}

  private static Field field(String name, int bits, Kind kind, String label) {
    return TLS.floating("tls.handshake." + name, bits, kind, label);
  }

  /** Says what the key shares are, which are all that is left. */
  static void shares(Dissection dissection, boolean isClient) {
    if (isClient) {
      int before = dissection.enter((int) dissection.add(SHARES_LENGTH));
      while (dissection.left() > 0) {
        share(dissection);
      }
      dissection.leave(before);
    } else if (dissection.left() == 2) {
      dissection.add(SELECTED_GROUP);
    } else {
      share(dissection);
    }
  }

  private static void share(Dissection dissection) {
    dissection.add(GROUP);
    dissection.add(KEY, (int) dissection.add(KEY_LENGTH));
  }

  /** Says what the keys are that both have, which are all that is left. */
  static void preShared(Dissection dissection, boolean isClient) {
    if (!isClient) {
      dissection.add(SELECTED);
      return;
    }
    int before = dissection.enter((int) dissection.add(IDENTITIES_LENGTH));
    while (dissection.left() > 0) {
      dissection.add(IDENTITY, (int) dissection.add(IDENTITY_LENGTH));
      dissection.add(AGE);
    }
    dissection.leave(before);
    int bytes = (int) dissection.add(BINDERS_LENGTH);
    dissection.add(BINDERS, bytes);
  }
}
