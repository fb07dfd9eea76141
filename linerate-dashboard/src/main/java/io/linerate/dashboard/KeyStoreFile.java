package io.linerate.dashboard;

import io.linerate.core.config.ConfigException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** The keys of a server, from a file of PKCS #12. */
final class KeyStoreFile {
  /** Where its password is: in the environment, so that no list of processes shows it. */
  static final String PASSWORD = "LINERATE_TLS_PASSWORD";

  private KeyStoreFile() {}

  /**
   * Reads it.
   *
   * @throws ConfigException if it cannot be used
   */
  static SSLContext context(Path file, String password) {
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
}
