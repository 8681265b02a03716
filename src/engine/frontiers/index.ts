/**
 * The table of frontiers. To add one, write its file and add an entry here; the shared cases then test it.
 */
import type { Frontier } from '../frontier.ts'
import { RankwardError } from '../../lib/errors.ts'
import { nearest } from '../../lib/nearest.ts'
import { MercatorFrontier } from './mercator.ts'
import { TwoLevelFrontier } from './two-level.ts'
import { WebBaseFrontier } from './webbase.ts'

/** All options of frontiers; each frontier uses those that concern it. */
export interface FrontierOptions {
  /** Concurrent connections. Default: 1. */
  readonly connections?: number | undefined
  /** The strategy orders sites, not pages. */
  readonly ranksSites?: boolean | undefined
  /** Seed of the random draws. Default: 1. */
  readonly seed?: number | undefined
  /** Expected number of pages, to preallocate. */
  readonly pagesHint?: number | undefined
  /** Mercator: F. Default: 16. */
  readonly frontQueues?: number | undefined
  /** Mercator: B. Default: three per connection. */
  readonly backQueues?: number | undefined
  /** Mercator: each front queue is 2^bias times as likely as the next lower one. Default: 1. */
  readonly bias?: number | undefined
  /** Mercator: a new key moves a page that waits in the front queues. Default: true. */
  readonly reprioritise?: boolean | undefined
  /** WebBase: Q. Default: 500. */
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
    about: 'one page from each of 500 site queues in turn; ignores the strategy',
    source: 'Cho, Garcia-Molina et al. 2006',
    make: (options) => new WebBaseFrontier(options),
  },
]

/** Returns an empty frontier of this name. */
export function frontierOf(name: string, options: FrontierOptions = {}): Frontier {
  const entry = frontiers.find((candidate) => candidate.name === name)
  if (entry === undefined) throw new RankwardError('USAGE', unknownFrontier(name))
  wholeBetween(1, options.connections, 1_000_000, 'connections')
  wholeBetween(1, options.frontQueues, 100, 'front queues')
  wholeBetween(1, options.backQueues, 10_000_000, 'back queues')
  wholeBetween(1, options.queues, 1_000_000, 'queues')
  if (options.bias !== undefined && !(options.bias >= 0)) {
    throw new RankwardError(
      'USAGE',
      `A bias of ${options.bias} is not valid: expected a number of at least 0, such as 1.`,
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
    `${value} is not a valid number of ${what}: expected a whole number from ${min} to ${max}.`,
  )
}
