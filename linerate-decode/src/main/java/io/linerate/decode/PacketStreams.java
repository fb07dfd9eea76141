package io.linerate.decode;

import io.linerate.decode.protocol.TcpProtocol;
import io.linerate.decode.protocol.UdpLiteProtocol;
import io.linerate.decode.protocol.UdpProtocol;
import org.jspecify.annotations.Nullable;

/** Numbers the connections of TCP and the conversations of UDP that packets belong to. */
final class PacketStreams {
  private final TcpStreamNumbers tcp = new TcpStreamNumbers();
  private final StreamNumbers udp = new StreamNumbers();

  /**
   * The number of a layer's stream, which is the same however often it is asked for; {@link
   * StreamNumbers#NONE} if it has none.
   *
   * @param packet that the layer is in: see {@link Frame#count}
   * @param layer of TCP, UDP or UDP-Lite
   * @param ip the layer that carries it
   */
  long number(long packet, Layer layer, @Nullable Layer ip) {
    if (layer.is(TcpProtocol.TCP)) {
      return tcp.number(packet, layer, ip);
    }
    int record =
        layer.is(UdpLiteProtocol.UDP_LITE)
            ? find(layer, UdpLiteProtocol.SOURCE_PORT, UdpLiteProtocol.DESTINATION_PORT, ip)
            : find(layer, UdpProtocol.SOURCE_PORT, UdpProtocol.DESTINATION_PORT, ip);
    return record == StreamNumbers.NONE ? StreamNumbers.NONE : udp.number(record);
  }

  private int find(Layer layer, Field source, Field destination, @Nullable Layer ip) {
    return udp.find(layer.value(source), layer.value(destination), ip);
  }
}
