package io.linerate.analysis;

/** A column of {@link ReportRow rows}: what lines of JSON and files have, in the same words. */
public enum ReportColumn {
  /** When the window began. */
  WINDOW_START("windowStart", Type.TIME),
  /** When the next one began. */
  WINDOW_END("windowEnd", Type.TIME),
  /** What the row is of: window, flow, host, name, port_scan, host_scan or syn_flood. */
  KIND("kind", Type.TEXT),
  /** Of a flow or host: 1 of the one with the most bytes. */
  RANK_BY_BYTES("rankByBytes", Type.NUMBER),
  /** Of a flow or host: 1 of the one with the most packets. */
  RANK_BY_PACKETS("rankByPackets", Type.NUMBER),
  /** Of a flow, such as tcp. */
  PROTOCOL("protocol", Type.TEXT),
  /** Who has begun a flow, or scans. */
  SOURCE("source", Type.TEXT),
  SOURCE_PORT("sourcePort", Type.NUMBER),
  /** Of a flow, a scan of ports or a flood. */
  DESTINATION("destination", Type.TEXT),
  DESTINATION_PORT("destinationPort", Type.NUMBER),
  /** Of a host: its address. */
  HOST("host", Type.TEXT),
  /** That was asked for. */
  NAME("name", Type.TEXT),
  /** Of the window, of the source of a flow, or that a host has sent. */
  PACKETS("packets", Type.NUMBER),
  /** As packets, in bytes of IP. */
  BYTES("bytes", Type.NUMBER),
  /** Of the destination of a flow, or that a host has received. */
  PACKETS_BACK("packetsBack", Type.NUMBER),
  BYTES_BACK("bytesBack", Type.NUMBER),
  /** Of the window, or of a host. */
  FLOWS("flows", Type.NUMBER),
  /** That were begun in the window. */
  TCP_CONNECTIONS("tcpConnections", Type.NUMBER),
  UDP_CONNECTIONS("udpConnections", Type.NUMBER),
  /** Both together, in each second of the window. */
  CONNECTIONS_PER_SECOND("connectionsPerSecond", Type.DECIMAL),
  /** For names in the window, or for the name. */
  QUESTIONS("questions", Type.NUMBER),
  /** Of the window: that a full flow table forgot. */
  EVICTED_FLOWS("evictedFlows", Type.NUMBER),
  /** Of the window: packets and questions for whose flows and names there was no room. */
  DROPPED("dropped", Type.NUMBER),
  /** That a scan has touched. */
  PORTS("ports", Type.NUMBER),
  /** That a scan has touched. */
  HOSTS("hosts", Type.NUMBER),
  /** Of connections of a flood, which were not completed. */
  SYNS("syns", Type.NUMBER),
  CONNECTIONS("connections", Type.NUMBER),
  /** Addresses that a flood comes from. */
  SOURCES("sources", Type.NUMBER);

  /** What values are. */
  public enum Type {
    /** {@code Long}: ns since 1970. */
    TIME,
    /** {@code Long}. */
    NUMBER,
    /** {@code Double}. */
    DECIMAL,
    /** {@code String} of printable characters. */
    TEXT
  }

  private final String columnName;
  private final Type type;

  ReportColumn(String columnName, Type type) {
    this.columnName = columnName;
    this.type = type;
  }

  /** As lines of JSON and files have it. */
  public String columnName() {
    return columnName;
  }

  public Type type() {
    return type;
  }
}
