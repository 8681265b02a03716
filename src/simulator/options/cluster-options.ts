/** A run on several shards (cluster/), as its callers and readers know it. */
import { nearest } from '../../lib/nearest.ts'
import { anObject, ofKind, positive } from '../../lib/option-checks.ts'
import { inLibrary, typed, value, type OptionsOf, type Rows } from '../../lib/option-rows.ts'
import { flagOf, type RowSet } from '../../lib/option-table.ts'
import { aboveZero, atLeast, ValueError, whole, type ValueKind } from '../../lib/value-kinds.ts'

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

const faultNames = [
  'kills',
  'freezes',
  'loss',
  'duplicates',
  'delay',
  'linksLosses',
  'clockSkew',
] as const satisfies readonly (keyof ClusterFaults)[]

/** `links-losses` for `linksLosses`. */
const wordOf = (name: string): string => flagOf(name).slice(2)

/** `kills=0.01,links-losses=0.1` */
const faultsValue: ValueKind<ClusterFaults> = {
  read: (text) =>
    Object.fromEntries(
      text.split(',').map((part) => {
        const [word, number = ''] = part.split('=').map((piece) => piece.trim())
        const name = faultNames.find((each) => wordOf(each) === word)
        if (name !== undefined && number !== '' && Number(number) >= 0) return [name, Number(number)]
        const words = faultNames.map(wordOf)
        const meant = name === undefined ? nearest(word, words) : undefined
        throw new ValueError(
          meant === undefined
            ? `NAME=NUMBER, with commas between them and the names ${words.join(', ')}`
            : `${meant}, not ${word}`,
        )
      }),
    ),
  json: ['string'],
}

const needs = 'shards'

export const clusterRows = {
  shards: value('n', whole(1, 1024), 'crawl on this many shards, in a simulated cluster', {
    level: 'common',
  }),
  /** 1 unless given. */
  workers: value('n', whole(1, 1024), 'with --shards: the workers of the cluster (default: 1)', {
    level: 'common',
    needs,
  }),
  faults: value(
    'list',
    faultsValue,
    'with --shards: kills=R,freezes=R (each worker, per second), loss=P,duplicates=P (of requests), delay=S (seconds), links-losses=R, clock-skew=S (seconds)',
    { check: typed<ClusterFaults>(anObject), needs },
  ),
  /** Pages per second of each worker; 100 unless given. */
  speed: value('n', aboveZero, 'with --shards: pages per second of each worker', {
    cli: 'workerSpeed',
    level: 'config',
    usual: 100,
    needs,
  }),
  /** Seconds between two cuts of a shard, if it has not cut sooner; 5 unless given. */
  cutSeconds: value('s', aboveZero, 'with --shards: seconds between two exchanges of mass', {
    cli: 'cutEvery',
    level: 'config',
    usual: 5,
    needs,
  }),
  /** Seconds between two groups of a shard; 0.5 unless given. */
  flushSeconds: inLibrary(typed<number>(positive)),
  /** The rest of a site after a request, in seconds; 0 unless given. */
  gapSeconds: inLibrary(typed<number>(ofKind(atLeast(0)))),
} satisfies Rows

export interface ClusterOptions extends Omit<OptionsOf<typeof clusterRows>, 'shards'> {
  readonly shards: number
}

export const clusterSet = {
  heading: 'On a simulated cluster:',
  rows: clusterRows,
  within: 'cluster',
} satisfies RowSet

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
