package io.linerate.stream.net;

/**
 * The path that a datagram has come by: reused for each, so that paths are made of new ones only.
 */
final class PathView {
  boolean isIpv6;
  long localHigh;
  long localLow;
  int localPort;
  long remoteHigh;
  long remoteLow;
  int remotePort;

  boolean is(UdpPath path) {
    return remotePort == path.remotePort()
        && remoteLow == path.remoteLow()
        && localPort == path.localPort()
        && localLow == path.localLow()
        && remoteHigh == path.remoteHigh()
        && localHigh == path.localHigh()
        && isIpv6 == path.isIpv6();
  }

  void set(UdpPath path) {
    isIpv6 = path.isIpv6();
    localHigh = path.localHigh();
    localLow = path.localLow();
    localPort = path.localPort();
    remoteHigh = path.remoteHigh();
    remoteLow = path.remoteLow();
    remotePort = path.remotePort();
  }

  UdpPath path() {
    return new UdpPath(isIpv6, localHigh, localLow, localPort, remoteHigh, remoteLow, remotePort);
  }
}
