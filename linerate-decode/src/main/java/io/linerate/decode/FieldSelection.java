package io.linerate.decode;

import io.linerate.decode.protocol.MalformedProtocol;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Fields that are wanted, a column for each name: which columns what a {@link FieldSink} is told
 * goes into.
 */
public final class FieldSelection {
  private static final int[] NO_COLUMNS = {};

  private final List<List<Field>> fields;

  /** Whether all layers have to be looked at: for what is malformed. */
  private boolean areAllLooked;

  /** By protocol and field the columns that it is in; null: none. */
  private final int[] @Nullable [][] columns;

  /**
   * @param names of the fields, one for each column; a name can stand for several fields
   * @throws IllegalArgumentException if there is none of that name
   */
  public FieldSelection(Protocols protocols, List<String> names) {
    columns = new int[protocols.all().size()][][];
    fields = names.stream().map(name -> fields(protocols, name)).toList();
    for (int i = 0; i < fields.size(); i++) {
      for (Field field : fields.get(i)) {
        add(protocols.number(field.owner()), field, i);
      }
    }
  }

  private static List<Field> fields(Protocols protocols, String name) {
    List<Field> fields = protocols.fields(name);
    if (fields.isEmpty()) {
      throw new IllegalArgumentException("no such field: name=%s".formatted(name));
    }
    return fields;
  }

  private void add(int protocol, Field field, int column) {
    areAllLooked |= field.owner().equals(MalformedProtocol.MALFORMED);
    int[][] ofProtocol = columns[protocol];
    if (ofProtocol == null) {
      ofProtocol = new int[field.owner().all().size()][];
      Arrays.fill(ofProtocol, NO_COLUMNS);
      columns[protocol] = ofProtocol;
    }
    int[] before = ofProtocol[field.number()];
    int[] after = Arrays.copyOf(before, before.length + 1);
    after[before.length] = column;
    ofProtocol[field.number()] = after;
  }

  /** How many columns there are. */
  public int size() {
    return fields.size();
  }

  /** The fields of a column. */
  public List<Field> fields(int column) {
    return fields.get(column);
  }

  /** Whether a layer has to be dissected for what is in the columns. */
  public boolean wants(Layer layer) {
    return areAllLooked || columns[layer.protocolNumber()] != null;
  }

  /** The columns of a field; nobody changes them. */
  public int[] columns(Layer layer, Field field) {
    int[][] ofProtocol = columns[layer.protocolNumber()];
    return ofProtocol == null ? NO_COLUMNS : ofProtocol[field.number()];
  }
}
