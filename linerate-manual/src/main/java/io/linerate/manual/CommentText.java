package io.linerate.manual;

import java.util.regex.Pattern;

/** The comment of a class as plain text: without its parameters and markup. */
final class CommentText {
  private static final Pattern LINE_START = Pattern.compile("(?m)^ ");
  private static final Pattern TAG = Pattern.compile("\\{@\\w+\\s+([^{}]*)\\}");
  private static final Pattern HTML = Pattern.compile("</?(?:pre|p|code|ul|ol|li|b|i|em)>");
  private static final Pattern PARAMETERS = Pattern.compile("(?ms)^@param.*");

  private CommentText() {}

  static String of(String comment) {
    String text = LINE_START.matcher(comment).replaceAll("");
    text = PARAMETERS.matcher(text).replaceFirst("");
    // One tag may stand in another.
    for (String before = ""; !before.equals(text); ) {
      before = text;
      text = TAG.matcher(text).replaceAll("$1");
    }
    text = HTML.matcher(text).replaceAll("");
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&").strip() + "\n";
  }
}
