/** A crawl of this process: its engine answers what it can, the reader the rest. */
import { monitorEventLoopDelay, type IntervalHistogram } from 'node:perf_hooks'
import type { ControlEntry } from '../../crawler/session/crawl-control.ts'
import type { CrawlSession } from '../../crawler/session/session.ts'
import type { CrawlSettings } from '../../crawler/options/crawl-settings.ts'
import type { CrawlFolder } from '../../crawler/record/crawl-folder.ts'
import type {
  ControlRequests,
  ControlState,
  ImportanceBar,
  Now,
  Queue,
  ReadingName,
  RestingSites,
  Series,
  SiteDetail,
  SiteRow,
  Sites,
} from './api/index.ts'
import { control, controlState } from './control-requests.ts'
import { Course } from './course.ts'
import type { CrawlSource, Sample, SourceInfo } from './crawl-source.ts'
import { folderInfo } from './folder-info.ts'
import { liveView } from './crawl-view.ts'
import { ErrorCounts, type MeasuredSource } from './metrics.ts'
import { nowOf } from './now.ts'
import { Query } from './query.ts'
import { QueueScan } from './queue-scan.ts'
import { ReaderThread, type Parameters } from './reader-thread.ts'
import type { ArchivedText } from './reader/archive-queries.ts'
import type { Question, RecordedState } from './reader/reader.ts'

/** The importance is read at most this often. */
const importanceMs = 1000
/** The reader thread ends after this time without requests. */
const idleMs = 60_000

/** A crawl of this process. */
export class LiveSource implements CrawlSource {
  readonly kind = 'record'
  readonly #session: CrawlSession
  readonly #folder: CrawlFolder
  readonly #reader: ReaderThread
  readonly #course = new Course()
  readonly #load = new ProcessLoad()
  readonly #errors = new ErrorCounts()
  #process: Now['process']
  #scan: QueueScan | undefined
  #importance: ImportanceBar | undefined
  #importanceDueMs = 0
  #hasEnded = false
  #stoppedBecause: string | undefined

  constructor(session: CrawlSession, folder: CrawlFolder, onProblem: (what: string) => void) {
    this.#session = session
    this.#folder = folder
    this.#reader = new ReaderThread({ path: folder.path, idleMs, onProblem })
  }

  ended(because: string | undefined): void {
    this.#hasEnded = true
    this.#stoppedBecause = because
  }

  isReady(): boolean {
    return this.#session.live !== undefined
  }

  #settings(): CrawlSettings {
    return this.#session.live?.settings() ?? this.#folder.file.options
  }

  info(): Promise<SourceInfo> {
    return Promise.resolve({
      ...folderInfo(this.#folder, this.#settings(), this.#session.progress()),
      isLive: true,
      isRunning: !this.#hasEnded,
      stoppedBecause: this.#hasEnded ? this.#stoppedBecause : undefined,
      isControllable: this.#session.live !== undefined,
    })
  }

  control(name: keyof ControlRequests, body: unknown): Promise<ControlEntry> {
    return Promise.resolve(control(this.#session.live, name, body))
  }

  controlState(): Promise<ControlState> {
    const { live } = this.#session
    return Promise.resolve(controlState(live, this.#settings(), live?.control.entries ?? []))
  }

  async measured(): Promise<MeasuredSource> {
    const progress = this.#session.progress()
    const { user, system } = process.cpuUsage()
    return {
      startedAtMs: Date.parse(this.#folder.file.startedAt),
      isRunning: !this.#hasEnded,
      progress,
      now: await this.now(),
      errors: this.#errors.read(progress.errors),
      cpuSeconds: (user + system) / 1e6,
    }
  }

  now(): Promise<Now> {
    const progress = this.#session.progress()
    return Promise.resolve(
      nowOf(progress, {
        asOfMs: Date.now(),
        hasEnded: this.#hasEnded,
        connectionsMax: this.#settings().connections,
        ...this.#course.rates(),
        budgets: this.#settings(),
        gain: this.#course.gain,
        importance: this.#importance,
        process: this.#process,
      }),
    )
  }

  async sample(isWatched: boolean): Promise<Sample> {
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

  async answer(name: ReadingName, parameters: Parameters): Promise<string> {
    switch (name) {
      case 'series': {
        const points = new Query(parameters).whole('points', { min: 2, max: 1000 }) ?? 300
        return JSON.stringify(this.#course.series(points) satisfies Series)
      }
      case 'queue':
      case 'queue/resting':
        return this.#queue(name, parameters)
      case 'sites':
      case 'site':
        return this.#withLiveStates(name, await this.#reader.ask(name, parameters))
      default:
        // The dashboard refuses endpoints of clusters.
        return this.#reader.ask(name as Question, parameters)
    }
  }

  async archived(parameters: Parameters): Promise<ArchivedText> {
    return JSON.parse(await this.#reader.ask('page/text', parameters)) as ArchivedText
  }

  async #queue(name: 'queue' | 'queue/resting', parameters: Parameters): Promise<string> {
    const { live } = this.#session
    if (live === undefined) return this.#reader.ask(name, parameters)
    this.#scan ??= new QueueScan(liveView(live))
    const query = new Query(parameters)
    if (name === 'queue') return this.#withGivers(await this.#scan.next(query.limit(50)))
    const resting: RestingSites = await this.#scan.resting(query.offset, query.limit(50))
    return JSON.stringify(resting)
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
    const { sites, parts } = live.parts
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
    const kinds = detail.kinds.map((kind) => ({ ...kind, account: parts.accountOf(kind.kind) }))
    const { wait: waitSeconds, waitFactor } = this.#settings()
    const politeness = { ...detail.politeness, waitSeconds, waitFactor }
    return JSON.stringify({ ...withState(detail), kinds, politeness })
  }

  async close(): Promise<void> {
    this.#load.close()
    await this.#reader.close()
  }
}

/** Processor time, memory and event loop delay of this process, since the last call. */
class ProcessLoad {
  readonly #delay: IntervalHistogram = monitorEventLoopDelay({ resolution: 50 })
  #cpu = process.cpuUsage()
  #atMs = performance.now()

  constructor() {
    this.#delay.enable()
  }

  read(): NonNullable<Now['process']> {
    const { user, system } = process.cpuUsage(this.#cpu)
    const nowMs = performance.now()
    const seconds = Math.max(0.001, (nowMs - this.#atMs) / 1000)
    this.#cpu = process.cpuUsage()
    this.#atMs = nowMs
    const { rss, heapUsed } = process.memoryUsage()
    const delayMs = this.#delay.percentile(99) / 1e6
    this.#delay.reset()
    return {
      cpu: (user + system) / 1e6 / seconds,
      rssBytes: rss,
      heapBytes: heapUsed,
      eventLoopDelayMs: delayMs,
    }
  }

  close(): void {
    this.#delay.disable()
  }
}
