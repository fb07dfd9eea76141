package io.linerate.graph;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The manual page of an element: the comment of its class, from its source in {@code
 * META-INF/sources} of its jar. Linerate's own jar has the sources of its elements there.
 */
final class ElementPage {
  private static final Pattern COMMENT =
      Pattern.compile("\\n/\\*\\*(.*?)\\*/\\s*(?:@|public|record|final|class)", Pattern.DOTALL);
  private static final Pattern LINE_START = Pattern.compile("(?m)^[ \\t]*\\*? ?");
  private static final Pattern TAG = Pattern.compile("\\{@\\w+\\s+([^{}]*)\\}");
  private static final Pattern HTML = Pattern.compile("</?(?:pre|p|code|ul|ol|li|b|i|em)>");
  private static final Pattern PARAMETERS = Pattern.compile("(?ms)^@param.*");

  private ElementPage() {}

  /** Plain text; "" if there is no source. */
  static String of(Class<?> type) {
    String name = "/META-INF/sources/" + type.getName().replace('.', '/') + ".java";
    try (InputStream source = type.getResourceAsStream(name)) {
      return source == null ? "" : page(new String(source.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      return "";
    }
  }

  private static String page(String source) {
    Matcher comment = COMMENT.matcher(source);
    if (!comment.find()) {
      return "";
    }
    String text = LINE_START.matcher(comment.group(1)).replaceAll("");
    text = PARAMETERS.matcher(text).replaceFirst("");
    // One tag may stand in another.
    for (String before = ""; !before.equals(text); ) {
      before = text;
      text = TAG.matcher(text).replaceAll("$1");
    }
    text = HTML.matcher(text).replaceAll("");
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&").strip();
  }
}
