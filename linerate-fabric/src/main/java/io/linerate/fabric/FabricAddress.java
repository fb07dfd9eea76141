package io.linerate.fabric;

import io.linerate.core.config.ConfigException;
import java.nio.ByteBuffer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where an endpoint is: {@code fabric:PROVIDER:HOST:PORT}, such as {@code fabric:tcp:10.0.0.1:7000}
 * or {@code fabric:tcp+rxm:[::1]:7000}, or {@code fabric:shm:NAME} on this host.
 *
 * <p>A provider that libfabric puts in front of another one is written with a plus: {@code tcp+rxm}
 * is its {@code tcp;ofi_rxm}.
 *
 * @param provider as addresses have it
 * @param host or the name, for shm
 * @param port 1 to 65,535, 0 for one that is free; -1 where the provider has none (shm)
 */
public record FabricAddress(String provider, String host, int port) {
  private static final Pattern FORM =
      Pattern.compile("(?:fabric:)?([a-z][a-z0-9_]*(?:\\+[a-z]+)?):(.+)");
  private static final Pattern PROVIDER =
      Pattern.compile("fabric:([a-z][a-z0-9_]*(?:\\+[a-z]+)?):?|(shm):");
  private static final Pattern HOST_AND_PORT =
      Pattern.compile("(\\[[0-9a-fA-F:.%a-z]+]|[^:\\[\\]]+):(\\d{1,5})");
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,64}");

  /** Where struct sockaddr_in and sockaddr_in6 have it, in network order. */
  private static final int PORT_AT = 2;

  private static final String SHM = "shm";
  private static final String SHM_PREFIX = "fi_shm://";

  /**
   * Reads an address; {@code fabric:} in front may be left out.
   *
   * @throws ConfigException if it is not of that form
   */
  public static FabricAddress parse(String text) {
    Matcher alone = PROVIDER.matcher(text);
    if (alone.matches()) {
      String provider = alone.group(1) == null ? alone.group(2) : alone.group(1);
      throw wrong(
          text,
          "nothing stands behind the provider; write fabric:%s:%s"
              .formatted(provider, provider.equals(SHM) ? "NAME" : "HOST:PORT"));
    }
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      throw wrong(text, "write fabric:shm:NAME or fabric:PROVIDER:HOST:PORT");
    }
    String provider = form.group(1);
    String rest = form.group(2);
    if (provider.equals(SHM)) {
      return ofName(text, rest);
    }
    Matcher parts = HOST_AND_PORT.matcher(rest);
    if (!parts.matches() || Integer.parseInt(parts.group(2)) > 65_535) {
      throw wrong(
          text,
          "write fabric:%s:HOST:PORT, such as fabric:%s:127.0.0.1:7000"
              .formatted(provider, provider));
    }
    String host = parts.group(1);
    return new FabricAddress(
        provider,
        host.startsWith("[") ? host.substring(1, host.length() - 1) : host,
        Integer.parseInt(parts.group(2)));
  }

  private static FabricAddress ofName(String text, String name) {
    if (!NAME.matcher(name).matches() || name.startsWith(".")) {
      throw wrong(
          text,
          "a name of shm has 1 to 64 letters, digits, dots, dashes and underscores, no dot first");
    }
    return new FabricAddress(SHM, name, -1);
  }

  private static ConfigException wrong(String text, String remedy) {
    return new ConfigException("not an address of a fabric: address=" + text + "; " + remedy);
  }

  /** The provider's name as libfabric has it. */
  String libraryName() {
    return provider.replace("+", ";ofi_");
  }

  boolean isSharedMemory() {
    return provider.equals(SHM);
  }

  /** Whether its provider stands in front of another one. */
  boolean isLayered() {
    return provider.indexOf('+') >= 0;
  }

  boolean isManagedByRxm() {
    return provider.endsWith("+rxm");
  }

  /** Whether its endpoints reach all peers: shm, and providers that stand in front of others. */
  EndpointKind kind() {
    return isSharedMemory() || isLayered() || provider.equals("efa")
        ? EndpointKind.OPEN
        : EndpointKind.CONNECTED;
  }

  /** As the provider itself writes it, "" where it takes host and port. */
  String providerText() {
    return isSharedMemory() ? SHM_PREFIX + host : "";
  }

  /**
   * The same where the provider has chosen a port, by the name that it has given to an endpoint.
   */
  FabricAddress named(byte... name) {
    return port == 0 && name.length >= PORT_AT + Short.BYTES
        ? new FabricAddress(
            provider, host, Short.toUnsignedInt(ByteBuffer.wrap(name).getShort(PORT_AT)))
        : this;
  }

  @Override
  public String toString() {
    if (isSharedMemory()) {
      return "fabric:shm:" + host;
    }
    return "fabric:%s:%s:%d"
        .formatted(provider, host.indexOf(':') >= 0 ? "[" + host + "]" : host, port);
  }
}
