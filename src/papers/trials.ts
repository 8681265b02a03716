/**
 * A web on which experiments run strategies. Results are cached: `experiment all` needs many crawls several
 * times. Crawls of all experiments share the cores, one each.
 */
import { bestSeed } from '../webgraph/reachability.ts'
import { idOf, lowerBound, type Web } from '../webgraph/web.ts'
import { hostOf } from '../webgraph/sites.ts'
import type { Progress } from '../lib/progress.ts'
import { grouped } from '../lib/amounts.ts'
import type { Report } from '../view/report/report.ts'
import type { RunResult } from '../simulator/judgement.ts'
import { prepareWeb, type SimulatedWeb } from '../simulator/simulated-web.ts'
import type { WebWords } from '../simulator/web-words.ts'
import type { SimulateOptions } from '../simulator/options/simulate-options.ts'
import { simulateOnce, threadsDefault } from '../simulator/simulator.ts'
import type { OrdersOptions } from './order-trials.ts'
import type { TopicSettings } from '../web/topic/topic.ts'
import type { NamedSite } from './freshness-sites.ts'

export interface Trial {
  readonly result: RunResult
  /** Pages of the simulated web, in crawl order. */
  readonly order: Uint32Array
  /** When each was fetched, in a timed run. */
  readonly times: Float64Array | undefined
}

type TrialSettings = Omit<
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
  /** The same kind of web with this many pages, if it is generated and its size was not chosen. */
  readonly sized?: (pages: number) => { readonly web: Web; readonly about: string }
  /** A web with the words of its pages, read for a topic; absent without words. */
  readonly topical?: (topic: TopicSettings) => Promise<TopicalWords>
  /** Recorded sites, for the experiment on freshness. */
  readonly recorded?: readonly NamedSite[]
  readonly progress?: Progress
  readonly signal?: AbortSignal
  /** Webs, strategies and repeats of the experiment `orders`. */
  readonly orders?: OrdersOptions
}

/** What strategies need besides the web. */
interface TrialInputs {
  /** Scores of an earlier crawl. */
  readonly history?: { readonly name: string; readonly scores: Float64Array } | undefined
  readonly words?: WebWords | undefined
}

interface WantedRun {
  readonly strategy: string
  readonly settings: TrialSettings
  readonly key: string
}

export interface TopicalWords {
  readonly web: Web
  /** A description of the web. */
  readonly about: string
  readonly words: WebWords
}

/** What experiments that run side by side have in common. */
interface Shared {
  readonly turns: Turns
  /** Undefined if the crawl was interrupted. */
  readonly runs: Map<string, Promise<Trial | undefined>>
  readonly truths: Map<number, Promise<SimulatedWeb>>
}

/** The strategies whose crawls take longest, in this order: they start first, so that no core is idle at the end. */
const longest = ['partial-pagerank', 'pagerank', 'batch-pagerank', 'trustrank', 'exact-rankmass']

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
  readonly #shared: Shared

  constructor(options: TrialsOptions, shared?: Shared) {
    this.#shared = shared ?? { turns: new Turns(threadsDefault()), runs: new Map(), truths: new Map() }
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

  /** The same trials for an experiment that runs beside others and reports its own progress. */
  reporting(progress: Progress): Trials {
    return new Trials({ ...this.#options, seeds: this.seeds, progress }, this.#shared)
  }

  /** Trials on another web, with the same progress and cancellation; `seed`: of random draws. */
  on(web: Web, about: string, seeds?: readonly number[], seed = this.seed): Trials {
    const { progress, signal } = this.#options
    const options = {
      web,
      about,
      seed,
      ...(seeds === undefined ? {} : { seeds }),
      ...(progress === undefined ? {} : { progress }),
      ...(signal === undefined ? {} : { signal }),
    }
    return new Trials(options, { turns: this.#shared.turns, runs: new Map(), truths: new Map() })
  }

  /** Trials on a smaller web of the same kind, unless the web or its size was chosen. */
  sized(pages: number): Trials {
    const { sized } = this.#options
    if (sized === undefined || this.web.graph.pages <= pages) return this
    const { web, about } = sized(pages)
    return this.on(web, about)
  }

  /** Trials on a web whose pages have words, read for this topic; undefined if there is none. */
  async onTopic(topic: TopicSettings): Promise<{ trials: Trials; words: WebWords } | undefined> {
    const topical = await this.#options.topical?.(topic)
    if (topical === undefined) return undefined
    const { web, about, words } = topical
    return { trials: this.on(web, about), words }
  }

  /** The true values of the reachable pages: PageRank, backlinks, RankMass, sites. */
  truth(damping: number): Promise<SimulatedWeb> {
    const { seeds, web } = this
    const { truths } = this.#shared
    const known = truths.get(damping) ?? prepareWeb(web, { seeds, damping, needsRankMass: true })
    truths.set(damping, known)
    return known
  }

  /** One crawl per strategy, all with the same settings, in the given order. */
  async run(
    strategies: readonly string[],
    settings: TrialSettings,
    history?: TrialInputs['history'],
    words?: WebWords,
  ): Promise<Trial[]> {
    const [runs] = await this.runEach(strategies, [settings], { history, words })
    return runs
  }

  /** One crawl per strategy for each of the settings, as many at a time as there are cores. */
  async runEach(
    strategies: readonly string[],
    allSettings: readonly TrialSettings[],
    inputs: TrialInputs = {},
  ): Promise<Trial[][]> {
    const wanted = allSettings.map((settings) =>
      strategies.map((strategy) => ({ strategy, settings, key: keyOf(strategy, settings, inputs) })),
    )
    const { runs } = this.#shared
    const missing = [...new Map(wanted.flat().map((each) => [each.key, each])).values()].filter(
      ({ key }) => !runs.has(key),
    )
    this.#start(missing, inputs)
    const trials = await Promise.all(
      wanted.map((row) => Promise.all(row.map(async ({ key }) => (await runs.get(key))!))),
    )
    this.signal?.throwIfAborted()
    return trials
  }

  #start(wanted: readonly WantedRun[], inputs: TrialInputs): void {
    const { runs, turns } = this.#shared
    const crawled = new Float64Array(wanted.length)
    const needsHistory = wanted.some(({ strategy }) => strategy.startsWith('historical'))
    const prepared = new Map<number, Promise<SimulatedWeb>>()
    const ready = (damping: number): Promise<SimulatedWeb> => {
      const web = prepared.get(damping) ?? this.#prepare(damping, inputs, needsHistory)
      prepared.set(damping, web)
      return web
    }
    for (const [index, run] of longestFirst(wanted).entries()) {
      const trial = turns.run(async () => {
        if (this.signal?.aborted === true) return undefined
        const web = await ready(run.settings.damping ?? 0.85)
        return this.#runOne(run, inputs, web, (done) => {
          crawled[index] = done
          const sum = crawled.reduce((total, count) => total + count, 0)
          this.progress(sum, web.pages * wanted.length, run.strategy)
        })
      })
      runs.set(run.key, trial)
    }
  }

  /** Inputs that several strategies need are computed once. */
  async #prepare(
    damping: number,
    { history, words }: TrialInputs,
    needsHistory: boolean,
  ): Promise<SimulatedWeb> {
    const prepared = await this.truth(damping)
    if (words === undefined && !needsHistory) return prepared
    const { seeds } = this
    const inputs = { words, history: history?.scores, needsHistory }
    return prepareWeb(this.web, { ...inputs, prepared, seeds, damping, needsRankMass: true })
  }

  async #runOne(
    { strategy, settings }: WantedRun,
    { history, words }: TrialInputs,
    prepared: SimulatedWeb,
    progress: (crawled: number) => void,
  ): Promise<Trial | undefined> {
    let trial: Trial | undefined
    await simulateOnce(this.web, {
      ...settings,
      prepared,
      strategies: [strategy],
      seeds: this.seeds,
      seed: this.seed,
      ...(history === undefined ? {} : { history: history.scores }),
      words,
      progress,
      ...(this.signal === undefined ? {} : { signal: this.signal }),
      onRun: (result, visits) => {
        const order = visits.ids.map((id) => lowerBound(prepared.ids, id))
        trial = { result, order, times: visits.times }
      },
    })
    return trial
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

function longestFirst(wanted: readonly WantedRun[]): WantedRun[] {
  const place = ({ strategy }: WantedRun): number =>
    longest.includes(strategy) ? longest.indexOf(strategy) : longest.length
  return wanted.toSorted((a, b) => place(a) - place(b))
}

function keyOf(strategy: string, settings: TrialSettings, { history, words }: TrialInputs): string {
  const earlier = strategy.startsWith('historical') ? history?.name : undefined
  return JSON.stringify([strategy, earlier, settings, words?.topic])
}

/** The computing time of a simulation. Experiments run side by side, so elapsed time would depend on what ran at the same time. */

export function computingSeconds({ cpuSeconds, seconds }: Pick<RunResult, 'cpuSeconds' | 'seconds'>): number {
  return cpuSeconds ?? seconds
}

export const cpuTimeText =
  'CPU time: processor time of the crawl’s thread, or the elapsed time if the system does not report it.'

/** Runs a limited number of tasks at a time, in the order in which they were added. */
export class Turns {
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(count: number) {
    this.#free = count
  }

  /** Runs `work` as soon as there is a turn for it. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free === 0) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    else this.#free--
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#free++
      else next()
    }
  }
}
