package io.linerate.core.config;

import java.util.List;

/** An {@link EngineConfig} while one of its values is exchanged. */
final class EngineConfigDraft {
  String programName;
  String programId;
  int workers;
  List<Integer> cpus;
  int rxBurst;
  int txBurst;
  int freeBurst;
  int drainUs;
  int txRetryUs;
  Idle idle;
  int memoryMiB;
  int memoryChannels;
  List<String> blacklist;
  int buffers;
  int descriptors;
  int mtu;
  boolean promiscuous;
  StatisticsConfig statistics;
  QueueConfig queues;

  EngineConfigDraft(EngineConfig config) {
    programName = config.programName();
    programId = config.programId();
    workers = config.workers();
    cpus = config.cpus();
    rxBurst = config.rxBurst();
    txBurst = config.txBurst();
    freeBurst = config.freeBurst();
    drainUs = config.drainUs();
    txRetryUs = config.txRetryUs();
    idle = config.idle();
    memoryMiB = config.memoryMiB();
    memoryChannels = config.memoryChannels();
    blacklist = config.blacklist();
    buffers = config.buffers();
    descriptors = config.descriptors();
    mtu = config.mtu();
    promiscuous = config.promiscuous();
    statistics = config.statistics();
    queues = config.queues();
  }

  /**
   * @throws ConfigException if a number is out of range
   */
  EngineConfig config() {
    return new EngineConfig(
        programName,
        programId,
        workers,
        cpus,
        rxBurst,
        txBurst,
        freeBurst,
        drainUs,
        txRetryUs,
        idle,
        memoryMiB,
        memoryChannels,
        blacklist,
        buffers,
        descriptors,
        mtu,
        promiscuous,
        statistics,
        queues);
  }
}
