package io.linerate.dashboard.http;

import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The files of the page: resources of this module. Those that were asked for stay in memory. */
public final class StaticFiles {
  private static final String ROOT = "/io/linerate/dashboard/page";

  /** No dot at the start of a name, so that no path leads out. */
  private static final Pattern PATH =
      Pattern.compile("(/[A-Za-z0-9_-][A-Za-z0-9._-]*){1,4}\\.([a-z0-9]+)");

  private static final Map<String, String> TYPES =
      Map.of(
          "html", "text/html; charset=utf-8",
          "css", "text/css; charset=utf-8",
          "js", "text/javascript; charset=utf-8",
          "json", "application/json",
          "svg", "image/svg+xml; charset=utf-8",
          "png", "image/png",
          "txt", "text/plain; charset=utf-8",
          "webmanifest", "application/manifest+json");

  private final Map<String, Body> files = new ConcurrentHashMap<>();

  /** Answers with a file, if there is one of that path. */
  public boolean reply(String path, Call call) throws IOException {
    String name = path.equals("/") ? "/index.html" : path;
    if (!PATH.matcher(name).matches()) {
      return false;
    }
    String type = TYPES.get(name.substring(name.lastIndexOf('.') + 1));
    Body file = type == null ? null : file(name);
    if (type == null || file == null) {
      return false;
    }
    call.header("Cache-Control", "no-cache");
    call.reply(200, type, file);
    return true;
  }

  private @Nullable Body file(String name) throws IOException {
    Body known = files.get(name);
    if (known != null) {
      return known;
    }
    try (InputStream in = StaticFiles.class.getResourceAsStream(ROOT + name)) {
      if (in == null) {
        return null;
      }
      Body read = new Body(in.readAllBytes());
      Body first = files.putIfAbsent(name, read);
      return first == null ? read : first;
    }
  }
}
