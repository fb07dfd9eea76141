package io.linerate.middlebox.firewall;

import static io.linerate.testkit.graph.FrameBuilder.tcp4;
import static io.linerate.testkit.graph.FrameBuilder.udp4;

import io.linerate.testkit.graph.FrameBuilder;
import io.linerate.wire.Tcp;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;

/**
 * A client inside that asks a server outside.
 *
 * @param clientPort its port
 * @param port the server's
 * @param isn the sequence number of its SYN
 */
record Client(int clientPort, int port, int isn) {
  private static final String CLIENT = "10.0.0.1";
  private static final String SERVER = "192.0.2.1";

  /** What follows goes round. */
  private static final int ISN = -20;

  private static final int SERVER_ISN = 7_000;
  private static final int WINDOW = 60_000;

  Client(int port) {
    this(4_000, port, ISN);
  }

  Client withPort(int otherClientPort) {
    return new Client(otherClientPort, port, isn);
  }

  Client withIsn(int otherIsn) {
    return new Client(clientPort, port, otherIsn);
  }

  private FrameBuilder fromClient(int flags, int at, int acknowledged, byte[] bytes) {
    return tcp4()
        .between(CLIENT, SERVER)
        .ports(clientPort, port)
        .tcp(tcp ->
            tcp.flags(flags)
                .sequenceNumber(Integer.toUnsignedLong(isn + 1 + at))
                .acknowledgmentNumber(acknowledged)
                .window(WINDOW))
        .payload(bytes);
  }

  private FrameBuilder fromServer(int flags, int sequence, int acknowledged) {
    return tcp4()
        .between(SERVER, CLIENT)
        .ports(port, clientPort)
        .tcp(tcp ->
            tcp.flags(flags)
                .sequenceNumber(sequence)
                .acknowledgmentNumber(Integer.toUnsignedLong(isn + 1 + acknowledged))
                .window(WINDOW));
  }

  byte[] syn() {
    return fromClient(Tcp.SYN, -1, 0, new byte[0]).toBytes();
  }

  /** With data: RFC 7413. */
  byte[] syn(byte[] data) {
    return fromClient(Tcp.SYN, -1, 0, data).toBytes();
  }

  byte[] synAck(int acknowledged) {
    return fromServer(Tcp.SYN | Tcp.ACK, SERVER_ISN, acknowledged).toBytes();
  }

  byte[] ack() {
    return fromClient(Tcp.ACK, 0, SERVER_ISN + 1, new byte[0]).toBytes();
  }

  FrameBuilder segment(int at, byte[] bytes) {
    return fromClient(Tcp.ACK | Tcp.PSH, at, SERVER_ISN + 1, bytes);
  }

  byte[] data(int at, byte[] bytes) {
    return segment(at, bytes).toBytes();
  }

  /** Some of the client's bytes, which are there at these places. */
  byte[] data(byte[] bytes, int from, int to) {
    return data(from, Arrays.copyOfRange(bytes, from, to));
  }

  byte[] serverAck(int acknowledged) {
    return fromServer(Tcp.ACK, SERVER_ISN + 1, acknowledged).toBytes();
  }

  /** A datagram of UDP. */
  byte[] datagram(byte[] bytes) {
    return udp4().between(CLIENT, SERVER).ports(clientPort, port).payload(bytes).toBytes();
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  /** A request of HTTP. */
  static byte[] http(String host) {
    return bytes("GET / HTTP/1.1\r\nHost: " + host + "\r\n\r\n");
  }

  /** The first message of this JDK's TLS. */
  static byte[] tls(String name) {
    try {
      SSLEngine engine = SSLContext.getDefault().createSSLEngine();
      engine.setUseClientMode(true);
      SSLParameters parameters = engine.getSSLParameters();
      parameters.setServerNames(name.isEmpty() ? List.of() : List.of(new SNIHostName(name)));
      engine.setSSLParameters(parameters);
      ByteBuffer out = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
      engine.wrap(ByteBuffer.allocate(0), out);
      return Arrays.copyOf(out.array(), out.position());
    } catch (NoSuchAlgorithmException | SSLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A question to DNS. */
  static byte[] dns(String name) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(new byte[] {1, 2, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0});
    for (String label : name.split("\\.", -1)) {
      out.write(label.length());
      out.writeBytes(bytes(label));
    }
    out.writeBytes(new byte[] {0, 0, 1, 0, 1});
    return out.toByteArray();
  }

  /** As TCP carries it. */
  static byte[] withLength(byte[] message) {
    byte[] bytes = new byte[message.length + 2];
    bytes[0] = (byte) (message.length >> 8);
    bytes[1] = (byte) message.length;
    System.arraycopy(message, 0, bytes, 2, message.length);
    return bytes;
  }

  /** A message of TLS in records of some bytes each. */
  static byte[] inRecords(byte[] record, int partBytes) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int at = 5; at < record.length; at += partBytes) {
      int count = Math.min(partBytes, record.length - at);
      out.writeBytes(new byte[] {22, 3, 3, (byte) (count >> 8), (byte) count});
      out.write(record, at, count);
    }
    return out.toByteArray();
  }
}
