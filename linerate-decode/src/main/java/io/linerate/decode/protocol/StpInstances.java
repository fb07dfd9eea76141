package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.HEX;
import static io.linerate.decode.Kind.MAC;
import static io.linerate.decode.Kind.TEXT;

import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Parts;

/** What multiple spanning trees add: the region, and a message for each tree of it. */
final class StpInstances {
  private static final int NAME_BYTES = 32;
  private static final int MESSAGE_BYTES = 16;
  private static final int REGION_BYTES = 64;

  private final Parts flagParts;
  private final Field length;
  private final Field selector;
  private final Field name;
  private final Field revision;
  private final Field digest;
  private final Field cost;
  private final StpProtocol.BridgeIdentifier bridge;
  private final Field hops;
  private final Field flags;
  private final Field priority;
  private final Field tree;
  private final Field root;
  private final Field rootCost;
  private final Field bridgePriority;
  private final Field portPriority;
  private final Field treeHops;
  private final Field version4Length;

  /**
   * @param flagParts of the flags of a message
   */
  StpInstances(Fields owner, Parts flagParts) {
    this.flagParts = flagParts;
    owner.source("IEEE 802.1Q, clause 14.4");
    length = owner.floating("mstp.version_3_length", 16, DECIMAL, "Length of version 3");
    selector = owner.floating("mstp.config_format_selector", 8, DECIMAL, "Format of the region");
    name = owner.floating("mstp.config_name", 0, TEXT, "Name of the region");
    revision = owner.floating("mstp.config_revision_level", 16, DECIMAL, "Revision of the region");
    digest = owner.floating("mstp.config_digest", 128, BYTES, "Digest of the region");
    cost = owner.floating("mstp.cist_internal_root_path_cost", 32, DECIMAL, "Cost in the region");
    bridge = new StpProtocol.BridgeIdentifier(owner, "mstp.cist_bridge", "common bridge");
    hops = owner.floating("mstp.cist_remaining_hops", 8, DECIMAL, "Hops left");
    flags = owner.floating("mstp.msti.flags", 8, HEX, "Flags of the tree");
    priority = owner.floating("mstp.msti.priority", 8, HEX, "Priority of the tree");
    tree = owner.floating("mstp.msti.msti_id", 16, DECIMAL, "Tree");
    root = owner.floating("mstp.msti.root.hw", 48, MAC, "Root of the tree");
    rootCost = owner.floating("mstp.msti.root_cost", 32, DECIMAL, "Cost to the tree's root");
    bridgePriority =
        owner.floating("mstp.msti.bridge_priority", 8, DECIMAL, "Priority of the tree's bridge");
    portPriority =
        owner.floating("mstp.msti.port_priority", 8, DECIMAL, "Priority of the tree's port");
    treeHops = owner.floating("mstp.msti.remaining_hops", 8, DECIMAL, "Hops left of the tree");
    version4Length = owner.floating("mstp.version_4_length", 16, DECIMAL, "Length of version 4");
  }

  void dissect(Dissection dissection) {
    int bytes = (int) dissection.add(length);
    if (bytes > dissection.left()) {
      dissection.malformed();
    }
    dissection.add(selector);
    dissection.add(name, NAME_BYTES);
    dissection.add(revision);
    dissection.add(digest);
    dissection.add(cost);
    bridge.dissect(dissection);
    dissection.add(hops);
    for (int i = REGION_BYTES; i < bytes && dissection.left() > 0; i += MESSAGE_BYTES) {
      message(dissection);
    }
    if (dissection.left() >= 2) {
      dissection.add(version4Length);
    }
  }

  private void message(Dissection dissection) {
    if (!dissection.has(MESSAGE_BYTES)) {
      dissection.skip(MESSAGE_BYTES);
      return;
    }
    long bits = dissection.add(flags);
    dissection.values(flagParts, bits, -1);
    int identifier = dissection.u16(0);
    dissection.value(priority, identifier >>> 12, 0, 1);
    dissection.value(tree, identifier & 0xFFF, 0, 2);
    dissection.skip(2);
    dissection.add(root);
    dissection.add(rootCost);
    dissection.value(bridgePriority, dissection.u8(0) >>> 4, 0, 1);
    dissection.value(portPriority, dissection.u8(1) >>> 4, 1, 1);
    dissection.skip(2);
    dissection.add(treeHops);
  }
}
