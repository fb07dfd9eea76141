package io.linerate.graph;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_int;

import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.DynamicConstantDesc;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.List;

/** Objects that a hidden class which is written here has as constants. */
final class ClassConstants {
  private final List<Object> objects = new ArrayList<>();

  /** What the class is to be defined with, once its bytes are made. */
  List<Object> objects() {
    return objects;
  }

  static ClassDesc desc(Class<?> type) {
    return type.describeConstable().orElseThrow();
  }

  /** Something that the class has as a constant. It may be asked for twice. */
  @SuppressWarnings("ReferenceEquality") // It is itself only.
  DynamicConstantDesc<?> constant(ClassDesc type, Object value) {
    int index = 0;
    while (index < objects.size() && objects.get(index) != value) {
      index++;
    }
    if (index == objects.size()) {
      objects.add(value);
    }
    return DynamicConstantDesc.ofNamed(
        ConstantDescs.ofConstantBootstrap(
            desc(MethodHandles.class), "classDataAt", CD_Object, CD_int),
        ConstantDescs.DEFAULT_NAME,
        type,
        index);
  }
}
