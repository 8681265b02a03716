/** A run on several shards (cluster/), as its callers and readers know it. */

/** `strict` waits for the best pages of all workers, `fast` never waits. */
export const workerOrders = ['strict', 'fast'] as const

/** What goes wrong in a simulated cluster. */
export interface ClusterFaults {
  /** Kills of each worker per second. A killed worker is replaced after up to a minute. */
  readonly kills?: number | undefined
  /** Freezes of each worker per second, for up to a minute each. */
  readonly freezes?: number | undefined
  /** The share of requests, and of responses, that are lost. */
  readonly loss?: number | undefined
  /** The share of requests that reach the store twice. */
  readonly duplicates?: number | undefined
  /** Requests and responses take up to this many seconds; so they overtake each other. */
  readonly delay?: number | undefined
  /** Power cuts per second in which the links log loses its last messages. */
  readonly linksLosses?: number | undefined
  /** The clock of each worker is ahead by up to this many seconds. */
  readonly clockSkew?: number | undefined
}

export const faultNames = [
  'kills',
  'freezes',
  'loss',
  'duplicates',
  'delay',
  'linksLosses',
  'clockSkew',
] as const satisfies readonly (keyof ClusterFaults)[]

export interface ClusterOptions {
  readonly shards: number
  /** 1 unless given. */
  readonly workers?: number | undefined
  readonly faults?: ClusterFaults | undefined
  /** Pages per second of each worker; 100 unless given. */
  readonly speed?: number | undefined
  /** `fast` unless given; `strict` if the crawl ends at a coverage or after a number of pages. */
  readonly order?: 'strict' | 'fast' | undefined
  /** Seconds between two cuts of a shard, if it has not cut sooner; 5 unless given. */
  readonly cutSeconds?: number | undefined
  /** Seconds between two groups of a shard; 0.5 unless given. */
  readonly flushSeconds?: number | undefined
  /** The rest of a site after a request, in seconds; 0 unless given. */
  readonly gapSeconds?: number | undefined
}

/** What the cluster of a run did. */
export interface ClusterSummary extends ClusterCounts {
  readonly shards: number
  readonly workers: number
  /** Virtual seconds. */
  readonly seconds: number
  /** The coverage that the last groups of all shards prove; 0 if the strategy has no mass. */
  readonly coverage: number
}

/** What a simulated cluster did. */
export interface ClusterCounts {
  kills: number
  freezes: number
  claims: number
  fenced: number
  released: number
  requests: number
  lost: number
  duplicates: number
  groups: number
  journalBytes: number
  messages: number
  linkBytes: number
  linksLosses: number
  /** Messages that a receiver dropped because it had applied them, or because one before it was missing. */
  dropped: number
  gaps: number
  /** Requests of pages, repeated ones included. */
  fetches: number
}
