/** A simulation of a web that changes: which policies run, on which changes, with which budget. */
import type { RecordedSite } from '../webgraph/recorded-site.ts'
import type { Web } from '../webgraph/web.ts'
import { fixed } from '../lib/amounts.ts'
import { RankwardError } from '../lib/errors.ts'
import { nearest } from '../lib/nearest.ts'
import type { OptionsOf } from '../lib/option-rows.ts'
import { recrawlPolicies } from '../engine/recrawl/policies/index.ts'
import { knowsAllName, recrawlRows, type RecrawlRunOptions } from './options/recrawl-options.ts'
import { bestStart } from '../webgraph/best-start.ts'
import type { PrepareOptions } from './simulated-web.ts'

type RecrawlChoice = OptionsOf<typeof recrawlRows>

/** Options that only crawls that fetch every page once have. */
const onceOnly = ['traps', 'coverage', 'batchSize', 'speedUp', 'words', 'demoteSpam'] as const

type OnceOptions = { readonly [Name in (typeof onceOnly)[number]]?: unknown }

export interface ChosenRecrawl {
  readonly policies: readonly string[]
  readonly options: RecrawlRunOptions
}

/** Undefined if every page is fetched once. Throws if options are missing or exclude each other. */
export function chosenRecrawl(web: Web, choice: RecrawlChoice & OnceOptions): ChosenRecrawl | undefined {
  const { recrawl, changes, changeRates } = choice
  if (recrawl === undefined) {
    const without = Object.keys(recrawlRows).find((name) => choice[name as keyof RecrawlChoice] !== undefined)
    if (without === undefined) return undefined
    throw usage(`Option ${without} is for crawls that fetch pages again: give a recrawl policy too.`)
  }
  const excluded = onceOnly.find((name) => choice[name] !== undefined && choice[name] !== false)
  if (excluded !== undefined)
    throw usage(`Option ${excluded} is for crawls that fetch every page once: leave it or recrawl out.`)
  if (changes !== undefined && changeRates !== undefined)
    throw usage('Changes are recorded or have given rates: leave changes or changeRates out.')
  if (changes !== undefined && changes.pages !== web.graph.pages)
    throw usage(
      `The recorded changes are of ${changes.pages} pages, and the web has ${web.graph.pages}: crawl webOfRecorded(changes).`,
    )
  const options = runOptionsOf(choice)
  return { policies: policiesOf(recrawl, changes), options }
}

function runOptionsOf(choice: RecrawlChoice): RecrawlRunOptions {
  const { rate, round, changes, from } = choice
  const days = choice.days ?? changes?.days
  if ((rate === undefined) === (round === undefined))
    throw usage(
      'A crawl that fetches pages again needs a budget: give rate (fetches per day) or round (days).',
    )
  if (days === undefined) throw usage('A crawl that fetches pages again does not end: give its days.')
  if (changes !== undefined && days > changes.days)
    throw usage(
      `The record has ${fixed(changes.days, 1)} days, fewer than ${days}: give fewer days or leave days out.`,
    )
  if (from !== undefined && from >= days)
    throw usage(`from is ${from}: expected a day before the end, ${days}.`)
  const { horizon, prior: given, knownRates, siteClock, sitePrior, massPrior, estimator, adaptive } = choice
  const { rest, refreshShare, cost, calibration, looks } = choice
  return {
    rate,
    round,
    days,
    from,
    horizon,
    prior: given,
    knownRates,
    siteClock,
    sitePrior,
    massPrior,
    estimator,
    adaptive,
    rest,
    refreshShare,
    cost,
    calibration,
    looks,
  }
}

function policiesOf(recrawl: string | readonly string[], changes: RecordedSite | undefined): string[] {
  const known = [...recrawlPolicies.map(({ name }) => name), knowsAllName]
  const hasSignals = changes !== undefined && changes.signals.times.length > 0
  const all = known.filter((name) => hasSignals || name !== 'change-signals')
  const chosen = [recrawl].flat().flatMap((name) => (name === 'all' ? all : [name]))
  const stranger = chosen.find((name) => !known.includes(name))
  if (stranger === undefined) return [...new Set(chosen)]
  const near = nearest(stranger, known)
  const hint = near === undefined ? '' : ` Did you mean ${near}?`
  throw usage(`There is no recrawl policy "${stranger}".${hint} Policies: ${known.join(', ')}.`)
}

/** Where crawls of a recorded site start: the pages that exist at its beginning. */
export function firstPages(site: RecordedSite): number[] {
  return [...site.born.keys()].filter((page) => site.born[page] === 0)
}

function usage(message: string): RankwardError {
  return new RankwardError('USAGE', message)
}

/** Where a simulation starts. */

interface StartOptions {
  readonly seeds?: readonly number[] | undefined
  readonly changes?: RecordedSite | undefined
}

/** At the given seeds, the first pages of recorded changes, or the page that reaches most. */
export function startOf(
  { graph }: Web,
  { seeds, changes }: StartOptions,
): Pick<PrepareOptions, 'seeds' | 'reached'> {
  if (seeds !== undefined) return { seeds }
  if (changes !== undefined) return { seeds: firstPages(changes) }
  const { seed, reached } = bestStart(graph)
  return { seeds: [seed], reached }
}
