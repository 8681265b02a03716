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
