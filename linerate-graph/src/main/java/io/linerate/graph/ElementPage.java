package io.linerate.graph;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/**
 * The manual page of an element: the comment of its class, which {@code linerate-manual}, an
 * annotation processor, has put beside the classes.
 */
final class ElementPage {
  private ElementPage() {}

  /** Plain text; "" if there is none. */
  static String of(Class<?> type) {
    String name = "/META-INF/linerate/manual/" + type.getName() + ".txt";
    try (InputStream page = type.getResourceAsStream(name)) {
      return page == null ? "" : new String(page.readAllBytes(), StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      return "";
    }
  }
}
