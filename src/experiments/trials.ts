/**
 * A web on which experiments run strategies. Results are cached: `experiment all` needs many crawls several
 * times.
 */
import { bestSeed } from '../graph/reachability.ts'
import { idOf, lowerBound, type Web } from '../graph/web.ts'
import { hostOf } from '../graph/sites.ts'
import type { Progress } from '../lib/progress.ts'
import { grouped } from '../pictures/numbers.ts'
import type { Report } from '../report/report.ts'
import type { RunResult } from '../simulation/judgement.ts'
import { prepareWeb, type SimulatedWeb } from '../simulation/simulated-web.ts'
import type { WebWords } from '../simulation/web-words.ts'
import { simulate, type SimulateOptions } from '../simulator.ts'
import type { OrdersOptions } from './order-trials.ts'
import type { TopicSettings } from '../topic/topic.ts'
import type { NamedSite } from './freshness-sites.ts'

export interface Trial {
  readonly result: RunResult
  /** Pages of the simulated web, in crawl order. */
  readonly order: Uint32Array
  /** When each was fetched, in a timed run. */
  readonly times: Float64Array | undefined
}

export type TrialSettings = Omit<
  SimulateOptions,
  | 'words'
  | 'strategies'
  | 'seeds'
  | 'trust'
  | 'history'
  | 'signal'
  | 'progress'
  | 'onRun'
  | 'wholeWeb'
  | 'seed'
>

export interface TrialsOptions {
  readonly web: Web
  /** A description of the web: a file name, or how it was generated. */
  readonly about: string
  /** Seed of all random draws. */
  readonly seed: number
  /** Seeds of crawls; default: the page that reaches most. */
  readonly seeds?: readonly number[]
  /** Another web of the same kind, if one can be generated. */
  readonly another?: () => Web
  /** A web with the words of its pages, read for a topic; absent without words. */
  readonly topical?: (topic: TopicSettings) => Promise<TopicalWords>
  /** Recorded sites, for the experiment on freshness. */
  readonly recorded?: readonly NamedSite[]
  readonly progress?: Progress
  readonly signal?: AbortSignal
  /** Webs, strategies and repeats of the experiment `orders`. */
  readonly orders?: OrdersOptions
}

export interface TopicalWords {
  readonly web: Web
  /** A description of the web. */
  readonly about: string
  readonly words: WebWords
}

export class Trials {
  readonly web: Web
  readonly about: string
  readonly seed: number
  readonly another: (() => Web) | undefined
  readonly seeds: readonly number[]
  readonly orders: OrdersOptions
  readonly recorded: readonly NamedSite[]
  readonly signal: AbortSignal | undefined
  readonly #options: TrialsOptions
  readonly #done = new Map<string, Trial>()
  readonly #truths = new Map<number, SimulatedWeb>()

  constructor(options: TrialsOptions) {
    this.web = options.web
    this.about = options.about
    this.seed = options.seed
    this.another = options.another
    this.orders = options.orders ?? {}
    this.seeds = options.seeds ?? [bestSeed(options.web.graph).seed]
    this.recorded = options.recorded ?? []
    this.signal = options.signal
    this.#options = options
  }

  /** Progress reports of a part that runs simulations by itself. */
  progress(done: number, total: number, note: string): void {
    this.#options.progress?.(done, total, note)
  }

  /** Trials on another web, with the same progress and cancellation. */
  on(web: Web, about: string, seeds?: readonly number[]): Trials {
    const { seed, progress, signal } = this.#options
    return new Trials({
      web,
      about,
      seed,
      ...(seeds === undefined ? {} : { seeds }),
      ...(progress === undefined ? {} : { progress }),
      ...(signal === undefined ? {} : { signal }),
    })
  }

  /** Trials on a web whose pages have words, read for this topic; undefined if there is none. */
  async onTopic(topic: TopicSettings): Promise<{ trials: Trials; words: WebWords } | undefined> {
    const topical = await this.#options.topical?.(topic)
    if (topical === undefined) return undefined
    const { web, about, words } = topical
    return { trials: this.on(web, about), words }
  }

  /** The true values of the reachable pages: PageRank, backlinks, RankMass, sites. */
  async truth(damping: number): Promise<SimulatedWeb> {
    const { seeds, web } = this
    const known = this.#truths.get(damping)
    if (known !== undefined) return known
    const truth = await prepareWeb(web, { seeds, damping, needsRankMass: true })
    this.#truths.set(damping, truth)
    return truth
  }

  /** One crawl per strategy, all with the same settings, in the given order. */
  async run(
    strategies: readonly string[],
    settings: TrialSettings,
    history?: { name: string; scores: Float64Array },
    words?: WebWords,
  ): Promise<Trial[]> {
    const keyOf = (strategy: string): string =>
      JSON.stringify([
        strategy,
        strategy.startsWith('historical') ? history?.name : undefined,
        settings,
        words?.topic,
      ])
    const missing = strategies.filter((strategy) => !this.#done.has(keyOf(strategy)))
    if (missing.length > 0) {
      const { progress, signal } = this.#options
      const { ids } = await this.truth(settings.damping ?? 0.85)
      await simulate(this.web, {
        ...settings,
        strategies: missing,
        seeds: this.seeds,
        seed: this.seed,
        ...(history === undefined ? {} : { history: history.scores }),
        words,
        ...(progress === undefined ? {} : { progress }),
        ...(signal === undefined ? {} : { signal }),
        onRun: (result, visits) => {
          const order = visits.ids.map((id) => lowerBound(ids, id))
          this.#done.set(keyOf(result.strategy), { result, order, times: visits.times })
        },
      })
      signal?.throwIfAborted()
    }
    return strategies.map((strategy) => this.#done.get(keyOf(strategy))!)
  }

  /** The facts about the web in every report. */
  async facts(damping: number): Promise<Report['facts']> {
    const { web, about, seeds } = this
    const { reachable } = await this.truth(damping)
    const start =
      seeds.length === 1
        ? `page ${idOf(web, seeds[0])}${this.#hostOf(seeds[0])}`
        : `${grouped(seeds.length)} pages`
    const made =
      web.urls === undefined && web.givenSites === undefined ? ' (generated from the page ids)' : ''
    return [
      ['web', about],
      ['pages', `${grouped(web.graph.pages)}, of which ${grouped(reachable)} are reachable from the seed`],
      ['links', grouped(web.graph.links)],
      ['sites', `${grouped(web.sites.count)}${made}`],
      ['start', start],
      ['damping', `d = ${damping}`],
    ]
  }

  #hostOf(page: number): string {
    const host = this.web.urls === undefined ? undefined : hostOf(this.web.urls.at(page))
    return host === undefined ? '' : ` on ${host}`
  }
}
