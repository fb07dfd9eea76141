package io.linerate.dashboard.state;

import io.linerate.core.counter.Label;
import io.linerate.core.counter.Sample;
import io.prometheus.metrics.config.EscapingScheme;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The samples of a program as Prometheus reads them. */
public final class Metrics {
  public static final String CONTENT_TYPE = PrometheusTextFormatWriter.CONTENT_TYPE;

  private static final String TOTAL = "_total";
  private static final String INFO = "_info";

  private Metrics() {}

  /** All of them as text. */
  public static byte[] text(SampleTable table) {
    Map<String, List<Sample>> byName = new LinkedHashMap<>();
    for (Sample sample : table.samples()) {
      byName.computeIfAbsent(sample.name(), _ -> new ArrayList<>()).add(sample);
    }
    List<MetricSnapshot> snapshots = new ArrayList<>();
    byName.forEach((name, samples) -> {
      try {
        snapshots.add(snapshot(name, samples));
      } catch (IllegalArgumentException e) {
        // Not a name or not labels of Prometheus: another program says them, or an element.
      }
    });
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    try {
      PrometheusTextFormatWriter.create()
          .write(text, new MetricSnapshots(snapshots), EscapingScheme.DEFAULT);
    } catch (IOException e) {
      throw new UncheckedIOException("memory cannot be written", e);
    }
    return text.toByteArray();
  }

  private static MetricSnapshot snapshot(String name, List<Sample> samples) {
    return switch (samples.getFirst().kind()) {
      case COUNTER -> counter(name, samples);
      case GAUGE -> gauge(name, samples);
      case INFO -> info(name, samples);
    };
  }

  private static MetricSnapshot counter(String name, List<Sample> samples) {
    CounterSnapshot.Builder builder = CounterSnapshot.builder().name(without(name, TOTAL));
    for (Sample sample : samples) {
      builder.dataPoint(
          CounterSnapshot.CounterDataPointSnapshot.builder()
              .labels(labels(sample))
              .value(value(sample))
              .build());
    }
    return builder.build();
  }

  private static MetricSnapshot gauge(String name, List<Sample> samples) {
    GaugeSnapshot.Builder builder = GaugeSnapshot.builder().name(name);
    for (Sample sample : samples) {
      builder.dataPoint(
          GaugeSnapshot.GaugeDataPointSnapshot.builder()
              .labels(labels(sample))
              .value(value(sample))
              .build());
    }
    return builder.build();
  }

  private static MetricSnapshot info(String name, List<Sample> samples) {
    InfoSnapshot.Builder builder = InfoSnapshot.builder().name(without(name, INFO));
    for (Sample sample : samples) {
      builder.dataPoint(
          InfoSnapshot.InfoDataPointSnapshot.builder().labels(labels(sample)).build());
    }
    return builder.build();
  }

  private static double value(Sample sample) {
    return sample.unit().inUnitOfName(sample.value()).doubleValue();
  }

  private static Labels labels(Sample sample) {
    return Labels.of(
        sample.labels().stream().map(Label::name).toList(),
        sample.labels().stream().map(Label::value).toList());
  }

  private static String without(String name, String ending) {
    return name.endsWith(ending) ? name.substring(0, name.length() - ending.length()) : name;
  }
}
