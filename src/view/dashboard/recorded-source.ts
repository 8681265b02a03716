/** A crawl that was recorded, or that another process runs. Its record is read in a thread. */
import type { ControlEntry } from '../../crawler/session/crawl-control.ts'
import { openingProgress } from '../../crawler/session/opening-progress.ts'
import type { CrawlFolder } from '../../crawler/record/crawl-folder.ts'
import { pointOf, type ControlRequests, type ControlState, type Now, type ReadingName } from './api/index.ts'
import { control, controlState } from './control-requests.ts'
import type { CrawlSource, Sample, SourceInfo } from './crawl-source.ts'
import { folderInfo } from './folder-info.ts'
import { ErrorCounts, type MeasuredSource } from './metrics.ts'
import { nowOf } from './now.ts'
import { ReaderThread, type Parameters } from './reader-thread.ts'
import type { ArchivedText } from './reader/archive-queries.ts'
import type { Question, RecordedState } from './reader/reader.ts'

export class RecordedSource implements CrawlSource {
  readonly kind = 'record'
  readonly #folder: CrawlFolder
  readonly #reader: ReaderThread
  readonly #errors = new ErrorCounts()
  #lastMs = 0

  constructor(folder: CrawlFolder, onProblem: (what: string) => void = () => {}) {
    this.#folder = folder
    this.#reader = new ReaderThread({ path: folder.path, idleMs: Infinity, onProblem })
  }

  isReady(): boolean {
    return true
  }

  async #state(): Promise<RecordedState> {
    return JSON.parse(await this.#reader.ask('state')) as RecordedState
  }

  async info(): Promise<SourceInfo> {
    const { progress, isRunning, stoppedBecause } = await this.#state()
    return {
      ...folderInfo(this.#folder, this.#folder.file.options, progress),
      isLive: false,
      isRunning,
      stoppedBecause,
      isControllable: false,
    }
  }

  control(name: keyof ControlRequests, body: unknown): Promise<ControlEntry> {
    return Promise.resolve(control(undefined, name, body))
  }

  async controlState(): Promise<ControlState> {
    return controlState(undefined, this.#folder.file.options, (await this.#state()).controls)
  }

  async measured(): Promise<MeasuredSource> {
    const { progress = openingProgress, isRunning } = await this.#state()
    return {
      startedAtMs: Date.parse(this.#folder.file.startedAt),
      isRunning,
      progress,
      now: await this.now(),
      errors: this.#errors.read(progress.errors),
      cpuSeconds: undefined,
    }
  }

  async now(): Promise<Now> {
    const state = await this.#state()
    return nowOf(state.progress, {
      asOfMs: state.asOfMs,
      hasEnded: !state.isRunning,
      connectionsMax: this.#folder.file.options.connections,
      pagesPerSecond: state.isRunning ? state.pagesPerSecond : 0,
      looksPerSecond: state.isRunning ? state.looksPerSecond : state.looksPerSecond && 0,
      bytesPerSecond: state.isRunning ? state.bytesPerSecond : 0,
      budgets: this.#folder.file.options,
      gain: state.gain,
      importance: state.importance,
    })
  }

  /** A point for each new group. Without viewers, the record is not read. */
  async sample(isWatched: boolean): Promise<Sample | undefined> {
    if (!isWatched) return undefined
    const now = await this.now()
    const isNew = now.asOfMs !== this.#lastMs
    this.#lastMs = now.asOfMs
    return { now, point: isNew ? pointOf(now) : undefined }
  }

  answer(name: ReadingName, parameters: Parameters): Promise<string> {
    // The dashboard refuses endpoints of clusters.
    return this.#reader.ask(name as Question, parameters)
  }

  async archived(parameters: Parameters): Promise<ArchivedText> {
    return JSON.parse(await this.#reader.ask('page/text', parameters)) as ArchivedText
  }

  close(): Promise<void> {
    return this.#reader.close()
  }
}
