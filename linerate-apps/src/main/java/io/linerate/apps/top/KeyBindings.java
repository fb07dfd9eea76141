package io.linerate.apps.top;

import org.jline.keymap.KeyMap;
import org.jline.terminal.Terminal;
import org.jline.utils.InfoCmp.Capability;

/** Which keys mean what. Letters mean the same with and without shift. */
final class KeyBindings {
  private KeyBindings() {}

  static KeyMap<Key> of(Terminal terminal) {
    KeyMap<Key> keys = new KeyMap<>();
    keys.setNomatch(Key.OTHER);
    keys.setUnicode(Key.OTHER);
    keys.bind(Key.QUIT, "q", "Q", KeyMap.ctrl('C'), KeyMap.ctrl('D'));
    keys.bind(Key.PAUSE, "p", "P", " ");
    keys.bind(Key.HELP, "h", "H", "?");
    keys.bind(Key.BY_NAME, "n", "N");
    keys.bind(Key.BY_RATE, "r", "R");
    keys.bind(Key.BY_DROPS, "d", "D");
    keys.bind(Key.NEXT_ORDER, "s", "S");
    keys.bind(Key.OPEN, "\r", "\n");
    keys.bind(Key.LIST, "l", "L");
    keys.bind(Key.NEXT, "\t");
    keys.bind(Key.LEAVE, KeyMap.esc());
    // What a terminal answers late to the library's questions about what it can do.
    keys.bind(Key.OTHER, KeyMap.esc() + "[?");
    keys.bind(Key.UP, "k", KeyMap.esc() + "[A", KeyMap.esc() + "OA");
    keys.bind(Key.DOWN, "j", KeyMap.esc() + "[B", KeyMap.esc() + "OB");
    keys.bind(Key.PREVIOUS, KeyMap.esc() + "[Z");
    keys.bind(Key.PAGE_UP, KeyMap.esc() + "[5~");
    keys.bind(Key.PAGE_DOWN, KeyMap.esc() + "[6~");
    keys.bind(Key.FIRST, KeyMap.esc() + "[H", KeyMap.esc() + "OH", KeyMap.esc() + "[1~");
    keys.bind(Key.LAST, KeyMap.esc() + "[F", KeyMap.esc() + "OF", KeyMap.esc() + "[4~");
    bind(keys, terminal, Key.UP, Capability.key_up);
    bind(keys, terminal, Key.DOWN, Capability.key_down);
    bind(keys, terminal, Key.PAGE_UP, Capability.key_ppage);
    bind(keys, terminal, Key.PAGE_DOWN, Capability.key_npage);
    bind(keys, terminal, Key.FIRST, Capability.key_home);
    bind(keys, terminal, Key.LAST, Capability.key_end);
    bind(keys, terminal, Key.PREVIOUS, Capability.key_btab);
    return keys;
  }

  /** What this terminal sends for a key, if it knows. */
  private static void bind(KeyMap<Key> keys, Terminal terminal, Key key, Capability capability) {
    String sequence = KeyMap.key(terminal, capability);
    if (sequence != null) {
      keys.bind(key, sequence);
    }
  }
}
