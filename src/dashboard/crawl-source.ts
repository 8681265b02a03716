/**
 * The crawl that a dashboard shows: run by this process, or read from its record alone. Both answer the same questions; the
 * live one answers from the engine what it can, and asks the reader for the rest.
 */
import type { CrawlSession } from '../crawl/session.ts'
import type { CrawlProgress } from '../options/crawl-options.ts'
import type { CrawlSettings } from '../options/crawl-settings.ts'
import type { ControlEntry } from '../crawl/crawl-control.ts'
import type {
  ImportanceBar,
  Now,
  Queue,
  RestingSites,
  Series,
  SeriesPoint,
  SiteDetail,
  SiteRow,
  Sites,
} from './api/index.ts'
import { Course } from './course.ts'
import { liveView } from './live-view.ts'
import { nowOf } from './now.ts'
import { ProcessLoad } from './process-load.ts'
import { Query } from './query.ts'
import { QueueScan } from './queue-scan.ts'
import type { Parameters, ReaderThread } from './reader-thread.ts'
import type { RecordedState } from './reader/reader.ts'

/** The importance is read at most this often. */
const importanceMs = 5000

export interface CrawlSource {
  readonly isLive: boolean
  now(): Promise<Now>
  isRunning(): Promise<boolean>
  stoppedBecause(): Promise<string | undefined>
  controls(): Promise<readonly ControlEntry[]>
  settings(): CrawlSettings
  /** Takes a sample; called once a second. Returns the state and, if there is one, a new point of the series. */
  sample(isWatched: boolean): Promise<{ now: Now; point: SeriesPoint | undefined }>
  /** The answer to a request, as JSON; undefined: the reader answers. */
  answer(name: string, parameters: Parameters): Promise<string> | undefined
  /** The last progress, for metrics. */
  progress(): Promise<CrawlProgress | undefined>
  close(): void
}

/** A crawl of this process. */
export class LiveSource implements CrawlSource {
  readonly isLive = true
  readonly #session: CrawlSession
  readonly #reader: ReaderThread
  readonly #settings: CrawlSettings
  readonly #course = new Course()
  readonly #load = new ProcessLoad()
  #process: Now['process']
  #scan: QueueScan | undefined
  #importance: ImportanceBar | undefined
  #importanceDueMs = 0
  #hasEnded = false
  #stoppedBecause: string | undefined

  constructor(session: CrawlSession, reader: ReaderThread, settings: CrawlSettings) {
    this.#session = session
    this.#reader = reader
    this.#settings = settings
  }

  ended(because: string | undefined): void {
    this.#hasEnded = true
    this.#stoppedBecause = because
  }

  settings(): CrawlSettings {
    return this.#session.live?.settings() ?? this.#settings
  }

  isRunning(): Promise<boolean> {
    return Promise.resolve(!this.#hasEnded)
  }

  stoppedBecause(): Promise<string | undefined> {
    return Promise.resolve(this.#stoppedBecause)
  }

  controls(): Promise<readonly ControlEntry[]> {
    return Promise.resolve(this.#session.live?.control.entries ?? [])
  }

  progress(): Promise<CrawlProgress> {
    return Promise.resolve(this.#session.progress())
  }

  now(): Promise<Now> {
    const progress = this.#session.progress()
    return Promise.resolve(
      nowOf(progress, {
        asOfMs: Date.now(),
        hasEnded: this.#hasEnded,
        connectionsMax: this.settings().connections,
        ...this.#course.rates(),
        forecast: this.#course.forecast(this.settings()),
        expectedGain: this.#course.expectedGain,
        importance: this.#importance,
        process: this.#process,
      }),
    )
  }

  async sample(isWatched: boolean): Promise<{ now: Now; point: SeriesPoint | undefined }> {
    this.#process = this.#load.read()
    const point = this.#course.add(Date.now(), this.#session.progress(), this.#process)
    if (isWatched) this.#askImportance()
    return { now: await this.now(), point }
  }

  #askImportance(): void {
    if (performance.now() < this.#importanceDueMs) return
    this.#importanceDueMs = Infinity
    void this.#reader
      .ask('state')
      .then((json) => (this.#importance = (JSON.parse(json) as RecordedState).importance))
      .catch(() => {})
      .finally(() => (this.#importanceDueMs = performance.now() + importanceMs))
  }

  answer(name: string, parameters: Parameters): Promise<string> | undefined {
    switch (name) {
      case 'series': {
        const points = new Query(parameters).whole('points', { min: 2, max: 1000 }) ?? 300
        return Promise.resolve(JSON.stringify(this.#course.series(points) satisfies Series))
      }
      case 'queue':
      case 'queue/resting':
        return this.#queue(name, new Query(parameters))
      case 'sites':
      case 'site':
        return this.#reader.ask(name, parameters).then((json) => this.#withLiveStates(name, json))
      default:
        return undefined
    }
  }

  #queue(name: 'queue' | 'queue/resting', query: Query): Promise<string> | undefined {
    const { live } = this.#session
    if (live === undefined) return undefined
    this.#scan ??= new QueueScan(liveView(live))
    if (name === 'queue/resting') {
      return this.#scan
        .resting(query.offset, query.limit(50))
        .then((resting) => JSON.stringify(resting satisfies RestingSites))
    }
    return this.#scan.next(query.limit(50)).then((queue) => this.#withGivers(queue))
  }

  /** The links are in the record, which is up to a second behind: without them, a page has no givers yet. */
  async #withGivers(queue: Queue): Promise<string> {
    const numbers = queue.next.map(({ page }) => page).join(',')
    if (!queue.score.isMass || numbers === '') return JSON.stringify(queue)
    const lists = await this.#reader.ask('givers', [['pages', numbers]]).catch(() => '[]')
    const givers = JSON.parse(lists) as Queue['next'][number]['givers'][]
    return JSON.stringify({
      ...queue,
      next: queue.next.map((row, i) => ({ ...row, givers: givers[i] ?? [] })),
    })
  }

  /** The record does not have which connections are open. */
  #withLiveStates(name: 'sites' | 'site', json: string): string {
    const { live } = this.#session
    if (live === undefined) return json
    const view = liveView(live)
    const { sites, traps } = live.parts
    const now = view.now()
    const withState = <Row extends SiteRow>(row: Row): Row => {
      const site = sites.find(row.site)
      if (site === undefined) return row
      const isResting = view.freeAt(site) > now
      const state = view.isBusy(site)
        ? 'busy'
        : sites.isGivenUp(site)
          ? 'given-up'
          : sites.waiting(site) === 0
            ? 'idle'
            : isResting
              ? 'resting'
              : 'due'
      return { ...row, state, dueMs: state === 'resting' ? 1000 * view.freeAt(site) : undefined }
    }
    if (name === 'sites') {
      const list = JSON.parse(json) as Sites
      return JSON.stringify({ ...list, rows: list.rows.map(withState) })
    }
    const detail = JSON.parse(json) as SiteDetail
    const kinds = detail.kinds.map((kind) => ({ ...kind, account: traps?.accountOf(kind.kind) }))
    const { wait: waitSeconds, waitFactor } = this.settings()
    const politeness = { ...detail.politeness, waitSeconds, waitFactor }
    return JSON.stringify({ ...withState(detail), kinds, politeness })
  }

  close(): void {
    this.#load.close()
  }
}

/** A crawl that was recorded, or that another process runs. */
export class RecordedSource implements CrawlSource {
  readonly isLive = false
  readonly #reader: ReaderThread
  readonly #settings: CrawlSettings
  #lastMs = 0

  constructor(reader: ReaderThread, settings: CrawlSettings) {
    this.#reader = reader
    this.#settings = settings
  }

  settings(): CrawlSettings {
    return this.#settings
  }

  async #state(): Promise<RecordedState> {
    return JSON.parse(await this.#reader.ask('state')) as RecordedState
  }

  async isRunning(): Promise<boolean> {
    return (await this.#state()).isRunning
  }

  async stoppedBecause(): Promise<string | undefined> {
    return (await this.#state()).stoppedBecause
  }

  async controls(): Promise<readonly ControlEntry[]> {
    return (await this.#state()).controls
  }

  async progress(): Promise<CrawlProgress | undefined> {
    return (await this.#state()).progress
  }

  async now(): Promise<Now> {
    const state = await this.#state()
    return nowOf(state.progress, {
      asOfMs: state.asOfMs,
      hasEnded: !state.isRunning,
      connectionsMax: this.#settings.connections,
      pagesPerSecond: state.isRunning ? state.pagesPerSecond : 0,
      bytesPerSecond: state.isRunning ? state.bytesPerSecond : 0,
      expectedGain: state.expectedGain,
      importance: state.importance,
    })
  }

  /** A point for each new group. */
  async sample(): Promise<{ now: Now; point: SeriesPoint | undefined }> {
    const now = await this.now()
    const isNew = now.asOfMs !== this.#lastMs
    this.#lastMs = now.asOfMs
    const errors = now.errors.reduce((sum, { count }) => sum + count, 0)
    const point: SeriesPoint = {
      timeMs: now.asOfMs,
      pages: now.pages,
      coverage: now.coverage ?? null,
      expectedGain: now.expectedGain ?? null,
      pagesPerSecond: now.pagesPerSecond,
      bytesPerSecond: now.bytesPerSecond,
      waiting: now.waiting,
      connections: now.connections,
      errors,
      cpu: null,
      rssBytes: null,
    }
    return { now, point: isNew ? point : undefined }
  }

  answer(): undefined {
    return undefined
  }

  close(): void {}
}
