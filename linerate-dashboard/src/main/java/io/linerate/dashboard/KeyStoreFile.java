package io.linerate.dashboard;

import io.linerate.core.config.ConfigException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * The keys of a server, in a file of PKCS #12.
 *
 * @param password of the file, and of its keys
 */
public record KeyStoreFile(Path file, String password) {
  /** Where its password is: in the environment, so that no list of processes shows it. */
  private static final String PASSWORD = "LINERATE_TLS_PASSWORD";

  /** A file whose password is in the environment. */
  public static KeyStoreFile ofEnvironment(Path file) {
    return new KeyStoreFile(file, Optional.ofNullable(System.getenv(PASSWORD)).orElse(""));
  }

  /**
   * Reads it.
   *
   * @throws ConfigException if it cannot be used
   */
  public SSLContext context() {
    try (InputStream in = Files.newInputStream(file)) {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(in, password.toCharArray());
      KeyManagerFactory keys =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(store, password.toCharArray());
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys.getKeyManagers(), null, null);
      return context;
    } catch (IOException | GeneralSecurityException e) {
      throw new ConfigException(
          "cannot use the key store: file=%s, reason=%s; give a PKCS #12 file, and its password in %s"
              .formatted(file, e.getMessage(), PASSWORD));
    }
  }

  @Override
  public String toString() {
    return file.toString();
  }
}
