package io.linerate.driver.pcap;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Builds capture files byte by byte from the formats' specifications, right or wrong. */
final class CaptureBuilder {
  private final ByteOrder order;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  CaptureBuilder(ByteOrder order) {
    this.order = order;
  }

  byte[] build() {
    return bytes.toByteArray();
  }

  int size() {
    return bytes.size();
  }

  CaptureBuilder raw(byte... raw) {
    bytes.writeBytes(raw);
    return this;
  }

  CaptureBuilder pcapHeader(int magic, int snapLength, int linkType) {
    return raw(
        buffer(24)
            .putInt(magic)
            .putShort((short) 2)
            .putShort((short) 4)
            .putLong(0)
            .putInt(snapLength)
            .putInt(linkType)
            .array());
  }

  CaptureBuilder pcapRecord(long seconds, int fraction, int original, byte... packet) {
    raw(
        buffer(16)
            .putInt((int) seconds)
            .putInt(fraction)
            .putInt(packet.length)
            .putInt(original)
            .array());
    return raw(packet);
  }

  CaptureBuilder section(byte... options) {
    return block(
        0x0A0D0D0A,
        buffer(16 + options.length)
            .putInt(0x1A2B3C4D)
            .putShort((short) 1)
            .putShort((short) 0)
            .putLong(-1)
            .put(options)
            .array());
  }

  CaptureBuilder networkInterface(int linkType, int snapLength, byte... options) {
    return block(
        1,
        buffer(8 + options.length)
            .putShort((short) linkType)
            .putShort((short) 0)
            .putInt(snapLength)
            .put(options)
            .array());
  }

  CaptureBuilder enhanced(int id, long units, int original, byte[] packet, byte... options) {
    byte[] header =
        buffer(20)
            .putInt(id)
            .putInt((int) (units >>> 32))
            .putInt((int) units)
            .putInt(packet.length)
            .putInt(original)
            .array();
    return block(6, concat(header, packet, padding(packet), options));
  }

  CaptureBuilder obsolete(int id, long units, int original, byte[] packet) {
    byte[] header =
        buffer(20)
            .putShort((short) id)
            .putShort((short) 7)
            .putInt((int) (units >>> 32))
            .putInt((int) units)
            .putInt(packet.length)
            .putInt(original)
            .array();
    return block(2, concat(header, packet, padding(packet)));
  }

  CaptureBuilder simple(int original, byte[] packet) {
    return block(3, buffer(4 + padded(packet.length)).putInt(original).put(packet).array());
  }

  CaptureBuilder block(int type, byte... body) {
    int length = 12 + padded(body.length);
    return raw(
        buffer(length)
            .putInt(type)
            .putInt(length)
            .put(body)
            .position(length - 4)
            .putInt(length)
            .array());
  }

  byte[] option(int code, byte... value) {
    return buffer(4 + padded(value.length))
        .putShort((short) code)
        .putShort((short) value.length)
        .put(value)
        .array();
  }

  byte[] i64(long value) {
    return buffer(8).putLong(value).array();
  }

  static byte[] concat(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }

  /** A frame that tells its number and length: broadcast, from 02:00:00:00:00:00, type 0x88B5. */
  static byte[] frame(int number, int length) {
    byte[] frame = new byte[length];
    for (int i = 0; i < length; i++) {
      frame[i] = (byte) (i < 6 ? 0xFF : i < 12 ? 0 : number * 31 + i);
    }
    if (length >= 14) {
      frame[6] = 2;
      frame[12] = (byte) 0x88;
      frame[13] = (byte) 0xB5;
    }
    return frame;
  }

  private ByteBuffer buffer(int size) {
    return ByteBuffer.allocate(size).order(order);
  }

  private static byte[] padding(byte[] packet) {
    return new byte[padded(packet.length) - packet.length];
  }

  private static int padded(int length) {
    return (length + 3) & ~3;
  }
}
