package io.linerate.apps.transfer;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Set;

/**
 * What is said of a file before it is sent.
 *
 * @param name its path, relative to where it is put
 * @param size in bytes; {@link TransferWire#UNKNOWN_SIZE}: it comes by a pipe
 * @param modifiedNs since 1970
 * @param mode the lower nine bits of it
 * @param extentSize bytes of each piece that has a checksum of its own
 * @param isSecret whether its bytes are encrypted by themselves
 */
record FileFacts(
    String name, long size, long modifiedNs, int mode, int extentSize, boolean isSecret) {
  /** How many extents there are; of a pipe, as many as there may be. */
  int extents() {
    return size < 0 ? TransferWire.MOST_PIPE_EXTENTS : TransferWire.extents(size, extentSize);
  }

  /** All of it as bytes, the same at both ends. */
  byte[] toBytes() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      byte[] text = name.getBytes(StandardCharsets.UTF_8);
      out.writeInt(text.length);
      out.write(text);
      out.writeLong(size);
      out.writeLong(modifiedNs);
      out.writeInt(mode);
      out.writeInt(extentSize);
      out.writeBoolean(isSecret);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // Memory takes all.
    }
    return bytes.toByteArray();
  }

  /** As the bits of the mode say. */
  Set<PosixFilePermission> permissions() {
    Set<PosixFilePermission> permissions = EnumSet.noneOf(PosixFilePermission.class);
    PosixFilePermission[] all = PosixFilePermission.values();
    for (int i = 0; i < all.length; i++) {
      if ((mode & (1 << (all.length - 1 - i))) != 0) {
        permissions.add(all[i]);
      }
    }
    return permissions;
  }
}
