package io.linerate.wire.name;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;

/** ClientHellos that clients have sent, and the same in other records. */
final class Hellos {
  private static final int RECORD_HEADER_BYTES = 5;

  /** One of them; an empty name: it has none. */
  record Hello(String who, String name, String hex) {
    byte[] bytes() {
      return HexFormat.of().parseHex(hex);
    }
  }

  private Hellos() {}

  static List<Hello> recorded() {
    List<Hello> hellos = new ArrayList<>();
    try (InputStream in = Objects.requireNonNull(Hellos.class.getResourceAsStream("hellos.txt"))) {
      for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList()) {
        if (!line.startsWith("#")) {
          String[] words = line.split(" ", 3);
          hellos.add(new Hello(words[0], words[1].equals("-") ? "" : words[1], words[2]));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return hellos;
  }

  /** That of curl. */
  static byte[] curl() {
    return recorded().stream()
        .filter(hello -> hello.who.equals("curl"))
        .findFirst()
        .orElseThrow()
        .bytes();
  }

  /** The message in records of some bytes each. */
  static byte[] inRecords(byte[] hello, int partBytes) {
    byte[] message = Arrays.copyOfRange(hello, RECORD_HEADER_BYTES, hello.length);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int at = 0; at < message.length; at += partBytes) {
      int count = Math.min(partBytes, message.length - at);
      out.writeBytes(new byte[] {22, 3, 1, (byte) (count >> 8), (byte) count});
      out.write(message, at, count);
    }
    return out.toByteArray();
  }

  /** A message with these extensions, in one record. */
  static byte[] withExtensions(byte[] extensions) {
    int bodyBytes = 2 + 32 + 1 + 2 + 2 + 2 + 2 + extensions.length;
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int recordBytes = bodyBytes + 4;
    out.writeBytes(new byte[] {22, 3, 1, (byte) (recordBytes >> 8), (byte) recordBytes});
    out.writeBytes(new byte[] {1, 0, (byte) (bodyBytes >> 8), (byte) bodyBytes});
    out.writeBytes(new byte[] {3, 3});
    out.writeBytes(new byte[32]);
    out.writeBytes(new byte[] {0, 0, 2, 0x13, 1, 1, 0});
    out.writeBytes(new byte[] {(byte) (extensions.length >> 8), (byte) extensions.length});
    out.writeBytes(extensions);
    return out.toByteArray();
  }

  /** The extension server_name with a list of names of one type. */
  static byte[] serverName(int type, String... names) {
    ByteArrayOutputStream list = new ByteArrayOutputStream();
    for (String name : names) {
      list.writeBytes(new byte[] {(byte) type, (byte) (name.length() >> 8), (byte) name.length()});
      list.writeBytes(name.getBytes(StandardCharsets.ISO_8859_1));
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int count = list.size();
    out.writeBytes(new byte[] {0, 0, (byte) ((count + 2) >> 8), (byte) (count + 2)});
    out.writeBytes(new byte[] {(byte) (count >> 8), (byte) count});
    out.writeBytes(list.toByteArray());
    return out.toByteArray();
  }
}
