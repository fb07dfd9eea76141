package io.linerate.graph;

import io.linerate.core.config.ConfigException;

/** Names a value of an element: {@code element.handler}. */
record HandlerName(String element, String handler) {
  static HandlerName parse(String text) {
    int dot = text.indexOf('.');
    if (dot <= 0 || dot == text.length() - 1) {
      throw new ConfigException(
          "not the name of a value: name="
              + text
              + "; write ELEMENT.HANDLER, such as count.packets");
    }
    return new HandlerName(text.substring(0, dot), text.substring(dot + 1));
  }
}
