package io.linerate.graph;

import io.linerate.core.config.ConfigException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * What there is to read and write of the elements of all workers: see {@link GraphRunner#read}.
 *
 * @param replicas of workers that come and go
 */
record GraphValues(Collection<Replica> replicas) {
  List<HandlerInfo> handlers(String element) {
    List<HandlerInfo> infos = infos(element);
    if (infos.isEmpty()) {
      throw noSuchElement(element);
    }
    return infos;
  }

  /** Empty if there is no such element. */
  List<HandlerInfo> infos(String element) {
    for (Replica replica : replicas) {
      RunningElement running = replica.elements().get(element);
      if (running != null) {
        return running.handlerInfos();
      }
    }
    return List.of();
  }

  Reading read(String name) {
    HandlerName wanted = HandlerName.parse(name);
    List<Object> values = new ArrayList<>();
    Handler handler = null;
    for (Replica replica : replicas) {
      RunningElement running = replica.elements().get(wanted.element());
      if (running != null) {
        Handler found = running.reader(wanted.handler());
        handler = found;
        values.add(replica.call(() -> running.answer(found::read)));
        if (found.isShared()) {
          break;
        }
      }
    }
    if (handler == null) {
      throw noSuchElement(wanted.element());
    }
    return new Reading(name, handler.type(), handler.isSum(), values);
  }

  void write(String name, String value) {
    HandlerName wanted = HandlerName.parse(name);
    Map<Replica, CompletableFuture<String>> written = new LinkedHashMap<>();
    for (Replica replica : replicas) {
      RunningElement running = replica.elements().get(wanted.element());
      if (running != null) {
        Handler handler = running.writer(wanted.handler());
        written.put(replica, replica.submit(() -> running.answer(() -> write(handler, value))));
        if (handler.isShared()) {
          break;
        }
      }
    }
    if (written.isEmpty()) {
      throw noSuchElement(wanted.element());
    }
    written.forEach(Replica::await); // All were asked, so that none is left out if one is late.
  }

  private static String write(Handler handler, String value) {
    handler.write(value);
    return value;
  }

  ConfigException noSuchElement(String element) {
    Set<String> names = new LinkedHashSet<>();
    replicas.forEach(replica -> names.addAll(replica.elements().keySet()));
    return new ConfigException(
        "no such element: element=" + element + "; there are " + String.join(", ", names));
  }
}
