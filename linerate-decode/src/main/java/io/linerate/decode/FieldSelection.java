package io.linerate.decode;

import io.linerate.decode.protocol.MalformedProtocol;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Fields that are wanted, a column for each name: which columns what a {@link FieldSink} is told
 * goes into. The name of a protocol stands for its layers, whose text is the protocol's title.
 */
public final class FieldSelection {
  private static final int[] NO_COLUMNS = {};
  private static final Field[] NO_FIELDS = {};

  private final List<List<Field>> fields;

  /** Of each protocol, those of its fields with a fixed place that are in columns. */
  private final Field[][] fixed;

  /** Whether fields of a protocol without a fixed place are in columns. */
  private final boolean[] areFloating;

  /** Whether all layers have to be looked at: for what is malformed. */
  private boolean areAllLooked;

  /** By protocol and field the columns that it is in; null: none. */
  private final int[] @Nullable [][] columns;

  /** Of each protocol the columns that its layers are in. */
  private final int[][] layerColumns;

  /**
   * @param names of fields or protocols, one for each column; a name can stand for several fields
   * @throws IllegalArgumentException if there is none of that name
   */
  public FieldSelection(Protocols protocols, List<String> names) {
    columns = new int[protocols.all().size()][][];
    layerColumns = new int[columns.length][];
    Arrays.fill(layerColumns, NO_COLUMNS);
    fixed = new Field[columns.length][];
    areFloating = new boolean[columns.length];
    fields = names.stream().map(name -> fields(protocols, name)).toList();
    for (int i = 0; i < fields.size(); i++) {
      for (Field field : fields.get(i)) {
        add(protocols.number(field.owner()), field, i);
      }
      if (fields.get(i).isEmpty()) {
        addLayers(protocols, names.get(i), i);
      }
    }
    for (int i = 0; i < columns.length; i++) {
      fixed[i] = fixed(protocols.all().get(i).fields(), columns[i]);
    }
  }

  private static Field[] fixed(Fields all, int @Nullable [][] ofProtocol) {
    return ofProtocol == null
        ? NO_FIELDS
        : all.fixed().stream()
            .filter(field -> ofProtocol[field.number()].length > 0)
            .toArray(Field[]::new);
  }

  private static List<Field> fields(Protocols protocols, String name) {
    List<Field> fields = protocols.fields(name);
    if (fields.isEmpty() && protocols.named(name) == null) {
      throw new IllegalArgumentException(UnknownField.message(protocols, name));
    }
    return fields;
  }

  private void addLayers(Protocols protocols, String name, int column) {
    Protocol protocol = Objects.requireNonNull(protocols.named(name), "protocol");
    int number = protocols.number(protocol.fields());
    layerColumns[number] = with(layerColumns[number], column);
  }

  private static int[] with(int[] before, int column) {
    int[] after = Arrays.copyOf(before, before.length + 1);
    after[before.length] = column;
    return after;
  }

  private void add(int protocol, Field field, int column) {
    areAllLooked |= field.owner().equals(MalformedProtocol.MALFORMED);
    int[][] ofProtocol = columns[protocol];
    if (ofProtocol == null) {
      ofProtocol = new int[field.owner().all().size()][];
      Arrays.fill(ofProtocol, NO_COLUMNS);
      columns[protocol] = ofProtocol;
    }
    areFloating[protocol] |= !field.isFixed();
    ofProtocol[field.number()] = with(ofProtocol[field.number()], column);
  }

  /** How many columns there are. */
  public int size() {
    return fields.size();
  }

  /** The fields of a column; none if it is for the layers of a protocol. */
  public List<Field> fields(int column) {
    return fields.get(column);
  }

  /** Whether a layer has to be dissected for what is in the columns. */
  public boolean wants(Layer layer) {
    int protocol = layer.protocolNumber();
    return areAllLooked || columns[protocol] != null || layerColumns[protocol].length > 0;
  }

  /** The fields of a layer with a fixed place that are in columns; nobody changes them. */
  Field[] fixed(int protocol) {
    return fixed[protocol];
  }

  /** Whether more of a layer is wanted than fields with a fixed place. */
  boolean wantsFloating(int protocol) {
    return areAllLooked || areFloating[protocol];
  }

  /** How many columns the title of a layer's protocol is in. */
  public int columns(Layer layer) {
    return layerColumns[layer.protocolNumber()].length;
  }

  /**
   * A column that the title of a layer's protocol is in.
   *
   * @param i from 0 to {@link #columns(Layer)} - 1
   */
  public int column(Layer layer, int i) {
    return layerColumns[layer.protocolNumber()][i];
  }

  /** How many columns a field is in. */
  public int columns(Layer layer, Field field) {
    return all(layer, field).length;
  }

  /**
   * A column that a field is in.
   *
   * @param i from 0 to {@link #columns(Layer, Field)} - 1
   */
  public int column(Layer layer, Field field, int i) {
    return all(layer, field)[i];
  }

  private int[] all(Layer layer, Field field) {
    int[][] ofProtocol = columns[layer.protocolNumber()];
    return ofProtocol == null ? NO_COLUMNS : ofProtocol[field.number()];
  }
}
