/** The table of frontiers. To add one: write its file, and its line here; the shared cases then test it. */
import type { Frontier } from '../engine/frontier.ts'
import { RankwardError } from '../lib/errors.ts'
import { nearest } from '../lib/nearest.ts'
import { MercatorFrontier } from './mercator.ts'
import { TwoLevelFrontier } from './two-level.ts'
import { WebBaseFrontier } from './webbase.ts'

/** All that a frontier may be given; each takes what it knows. */
export interface FrontierOptions {
  /** Connections at a time; 1 unless given. */
  readonly robots?: number | undefined
  /** The strategy orders sites, not pages. */
  readonly ranksSites?: boolean | undefined
  /** For what is drawn; 1 unless given. */
  readonly seed?: number | undefined
  /** Pages expected, to avoid growing. */
  readonly pagesHint?: number | undefined
  /** Mercator: F, 16 unless given. */
  readonly frontQueues?: number | undefined
  /** Mercator: B, three for each robot unless given. */
  readonly backQueues?: number | undefined
  /** Mercator: each front queue is 2^bias times as likely as the next lower one; 1 unless given. */
  readonly bias?: number | undefined
  /** Mercator: a new key moves a page that waits in the front queues; true unless given. */
  readonly reprioritise?: boolean | undefined
  /** WebBase: Q, 500 unless given. */
  readonly queues?: number | undefined
}

export type FrontierName = 'two-level' | 'mercator' | 'webbase'

export interface FrontierEntry {
  readonly name: FrontierName
  readonly about: string
  readonly source: string
  make(options: FrontierOptions): Frontier
}

export const frontiers: readonly FrontierEntry[] = [
  {
    name: 'two-level',
    about: 'the best page of all free sites, exactly (the default)',
    source: 'Castillo 2004',
    make: (options) => new TwoLevelFrontier(options),
  },
  {
    name: 'mercator',
    about: 'front queues by priority feed back queues by site; roughly the best first',
    source: 'Heydon, Najork 1999',
    make: (options) => new MercatorFrontier(options),
  },
  {
    name: 'webbase',
    about: 'one page from each of 500 queues of sites in turn, whatever the strategy says',
    source: 'Cho, Garcia-Molina et al. 2006',
    make: (options) => new WebBaseFrontier(options),
  },
]

/** The frontier of this name, with nothing in it. */
export function frontierOf(name: string, options: FrontierOptions = {}): Frontier {
  const entry = frontiers.find((candidate) => candidate.name === name)
  if (entry === undefined) throw new RankwardError('USAGE', unknownFrontier(name))
  wholeBetween(1, options.robots, 1_000_000, 'robots')
  wholeBetween(1, options.frontQueues, 100, 'front queues')
  wholeBetween(1, options.backQueues, 10_000_000, 'back queues')
  wholeBetween(1, options.queues, 1_000_000, 'queues')
  if (options.bias !== undefined && !(options.bias >= 0)) {
    throw new RankwardError(
      'USAGE',
      `A bias of ${options.bias} makes no sense: expected a number from 0 up, such as 1.`,
    )
  }
  return entry.make(options)
}

function unknownFrontier(name: string): string {
  const names = frontiers.map((candidate) => candidate.name)
  const meant = nearest(name, names)
  const advice = meant === undefined ? `These exist: ${names.join(', ')}.` : `Did you mean ${meant}?`
  return `There is no frontier "${name}". ${advice}`
}

function wholeBetween(min: number, value: number | undefined, max: number, what: string): void {
  if (value === undefined || (Number.isInteger(value) && value >= min && value <= max)) return
  throw new RankwardError(
    'USAGE',
    `${value} is no number of ${what}: expected a whole number from ${min} to ${max}.`,
  )
}
