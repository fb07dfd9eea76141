package io.linerate.driver.dpdk;

/**
 * What a device can do: the part of {@code struct rte_eth_dev_info} that matters here.
 *
 * @param rxOffloads bits RTE_ETH_RX_OFFLOAD_...
 * @param txOffloads bits RTE_ETH_TX_OFFLOAD_...
 * @param rssTypes bits RTE_ETH_RSS_...: what it can spread packets by
 * @param socket CPU socket, or -1
 * @param maxFrameBytes longest frame that it says it receives, the frame check sequence included;
 *     some virtual devices receive longer ones
 * @param tableSize places of its indirection table for RSS
 * @param keyBytes of the key of RSS; 0 if its driver does not say
 */
record DeviceInfo(
    int maxRxQueues,
    int maxTxQueues,
    long rxOffloads,
    long txOffloads,
    long rssTypes,
    int minMtu,
    int maxMtu,
    int socket,
    long maxFrameBytes,
    int tableSize,
    int keyBytes) {
  /** Values that {@code lr_device_info} writes. */
  static final int VALUES = 11;
}
