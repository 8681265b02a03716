/**
 * A crawl on a cluster. The last groups of all shards are read every two seconds while the dashboard is watched, and every ten
 * seconds otherwise, for the curves. Commands go to the control stream of the crawl, as those of `rankward cluster pause` do.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { NatsConnection } from '@nats-io/transport-node'
import type { ControlMessage } from '../../../cluster/protocol/control.ts'
import { readCluster } from '../../../cluster/jetstream/cluster-reading.ts'
import { readCommands, type StoredCommand } from '../../../cluster/jetstream/command-log.ts'
import { JetStreamControl } from '../../../cluster/jetstream/jetstream-control.ts'
import { natsFailure } from '../../../cluster/jetstream/nats-errors.ts'
import type { ControlEntry } from '../../../crawler/session/crawl-control.ts'
import { RankwardError } from '../../../lib/errors.ts'
import type { CrawlSettings } from '../../../crawler/options/crawl-settings.ts'
import { isArchived } from '../../../crawler/parts/all-parts.ts'
import { ApiFailure } from '../api-failure.ts'
import type { ControlRequests, ControlState, Now, ReadingName } from '../api/index.ts'
import { ClusterView } from './cluster-view.ts'
import { commandOf, settingFields } from '../control-requests.ts'
import { Course } from '../course.ts'
import type { CrawlSource, Sample, SourceInfo } from '../crawl-source.ts'
import { settingsInfo, shownParts } from '../folder-info.ts'
import { ErrorCounts, type MeasuredSource } from '../metrics.ts'
import { nowOf } from '../now.ts'
import { Query } from '../query.ts'
import type { Parameters } from '../reader-thread.ts'

const watchedMs = 2000
const unwatchedMs = 10_000
/** Reading takes at most this share of the time. */
const readingShareMax = 0.2
/** A request waits this long for a reading, then gets the last one: servers that do not respond take many seconds. */
const patienceMs = 1000
/** A reading that takes longer has failed. */
const readingMsMax = 20_000
const commandsMax = 200
const entriesShown = 100

interface ClusterSourceOptions {
  /** Not closed with the source. */
  readonly connection: NatsConnection
  readonly crawl: string
}

export class ClusterSource implements CrawlSource {
  readonly kind = 'cluster'
  readonly #options: ClusterSourceOptions
  readonly #control: JetStreamControl
  readonly #course = new Course({ intervalMs: watchedMs })
  readonly #errors = new ErrorCounts()
  #view: ClusterView
  /** The commands so far that are shown. */
  readonly #commands: StoredCommand[] = []
  #commandsRead = 0
  /** Two requests at once share one reading: each command is added once. */
  #readingCommands: Promise<void> | undefined
  #reading: Promise<void> | undefined
  #dueMs = 0
  #readMs = 0
  /** Commands that were given here. */
  #commandsGiven = 0
  /** Why the last reading failed. */
  #problem: string | undefined
  /** What the viewers know. */
  #sampled: { readonly view: ClusterView; readonly problem: string | undefined }

  private constructor(options: ClusterSourceOptions, control: JetStreamControl, view: ClusterView) {
    this.#options = options
    this.#control = control
    this.#view = view
    this.#sampled = { view, problem: undefined }
    this.#course.add(view.asOfMs, view.progress())
  }

  /** NO_CRAWL if the cluster has none of this name. */
  static async open(options: ClusterSourceOptions): Promise<ClusterSource> {
    const { connection, crawl } = options
    const control = await JetStreamControl.open(connection, crawl)
    const view = new ClusterView(await readCluster(connection, crawl), Date.now())
    return new ClusterSource(options, control, view)
  }

  isReady(): boolean {
    return true
  }

  get #settings(): CrawlSettings {
    return this.#control.state.settings.settings as unknown as CrawlSettings
  }

  get #isRunning(): boolean {
    const { phase } = this.#view.status
    return phase === 'running' || phase === 'paused'
  }

  info(): Promise<SourceInfo> {
    const { status } = this.#view
    return Promise.resolve({
      ...settingsInfo(this.#settings),
      name: status.name,
      startedAtMs: Date.parse(status.createdAt),
      isLive: false,
      isRunning: this.#isRunning,
      stoppedBecause: this.#isRunning ? undefined : (status.stoppedBecause ?? status.phase),
      has: {
        guarantee: status.coverage !== undefined,
        record: false,
        archive: isArchived(this.#settings),
        freshness: false,
        cluster: true,
        topic: false,
        ...shownParts(this.#settings),
      },
      isControllable: true,
    })
  }

  async now(): Promise<Now> {
    await this.#read(watchedMs)
    return this.#now()
  }

  #now(): Now {
    const { asOfMs } = this.#view
    return {
      ...nowOf(this.#view.progress(), {
        asOfMs,
        hasEnded: !this.#isRunning,
        ...(this.#isRunning ? this.#view.rates() : { pagesPerSecond: 0, bytesPerSecond: 0 }),
        budgets: this.#settings,
        gain: this.#course.gain,
        importance: this.#view.importance(),
      }),
      sites: undefined,
      problem: this.#problem,
    }
  }

  async sample(isWatched: boolean): Promise<Sample | undefined> {
    await this.#read(isWatched ? watchedMs : unwatchedMs)
    const { view, problem } = this.#sampled
    if (this.#view === view && this.#problem === problem) return undefined
    this.#sampled = { view: this.#view, problem: this.#problem }
    const point = this.#view === view ? undefined : this.#course.add(this.#view.asOfMs, this.#view.progress())
    return { now: this.#now(), point }
  }

  /** Two calls share one reading. A failure is shown, and the last reading stays, also while a reading takes long. */
  async #read(ageMs: number): Promise<void> {
    const age = Math.max(ageMs, this.#readMs / readingShareMax)
    if (this.#reading === undefined && performance.now() < this.#dueMs + age) return
    this.#reading ??= this.#readNow().finally(() => (this.#reading = undefined))
    await Promise.race([this.#reading, sleep(patienceMs, undefined, { ref: false })])
  }

  async #readNow(): Promise<void> {
    const { connection, crawl } = this.#options
    const startMs = performance.now()
    const commandsGiven = this.#commandsGiven
    try {
      const reading = await Promise.race([readCluster(connection, crawl), tooLate()])
      this.#view = new ClusterView(reading, Date.now(), this.#view)
      await this.#control.read()
      this.#problem = undefined
      this.#readMs = performance.now() - startMs
    } catch (error) {
      const failure = natsFailure(error)
      this.#problem = failure instanceof RankwardError ? failure.message : 'The cluster cannot be read.'
    }
    // A command that was given meanwhile may be missing in this reading.
    this.#dueMs = commandsGiven === this.#commandsGiven ? performance.now() : -Infinity
  }

  async answer(name: ReadingName, parameters: Parameters): Promise<string> {
    const query = new Query(parameters)
    switch (name) {
      case 'series':
        return JSON.stringify(this.#course.series(query.whole('points', { min: 2, max: 1000 }) ?? 300))
      case 'cluster':
        await this.#read(watchedMs)
        return JSON.stringify(this.#view.cluster())
      case 'cluster/shards':
        await this.#read(watchedMs)
        return JSON.stringify(this.#view.shards(query))
      default:
        throw new ApiFailure('not-found', 'There is no such endpoint.')
    }
  }

  archived(): Promise<never> {
    return Promise.reject(new ApiFailure('not-found', 'The archives are on the workers.'))
  }

  async control(name: keyof ControlRequests, body: unknown): Promise<ControlEntry> {
    const command = commandOf(name, body)
    const before = this.#control.state.number
    try {
      await this.#control.command(command)
    } catch (error) {
      const failure = natsFailure(error)
      throw failure instanceof RankwardError ? new ApiFailure('unavailable', failure.message) : error
    }
    this.#commandsGiven++
    this.#dueMs = -Infinity
    const what = this.#control.state.number === before ? 'nothing was changed' : wordsOf(command)!
    return { atMs: Date.now(), action: command.kind, what }
  }

  async controlState(): Promise<ControlState> {
    await this.#read(watchedMs)
    const { isPaused, stopped } = this.#control.state
    const { phase } = this.#view.status
    const isOver = phase === 'finished' || phase === 'damaged'
    const actions: (keyof ControlRequests)[] = isOver
      ? []
      : stopped !== undefined
        ? ['resume']
        : isPaused
          ? ['resume', 'stop']
          : ['pause', 'stop']
    return {
      isPossible: actions.length > 0,
      actions,
      isPaused,
      isStopping: false,
      isStopped: stopped !== undefined,
      settings: settingFields(this.#settings),
      exclude: this.#settings.exclude,
      retryable: { sites: 0, pages: 0 },
      entries: await this.#entries(),
    }
  }

  /** From the control stream: those of all clients, the newest first. */
  async #entries(): Promise<ControlEntry[]> {
    this.#readingCommands ??= this.#readCommands().finally(() => (this.#readingCommands = undefined))
    await this.#readingCommands
    return this.#commands
      .map(({ atMs, message }) => ({
        atMs,
        action: message.kind as ControlEntry['action'],
        what: wordsOf(message)!,
      }))
      .toReversed()
  }

  async #readCommands(): Promise<void> {
    const { connection, crawl } = this.#options
    const last = this.#control.state.number
    if (last <= this.#commandsRead) return
    const read = await readCommands(connection, crawl, { after: this.#commandsRead, limit: commandsMax })
    this.#commandsRead = Math.max(last, read.at(-1)?.number ?? 0)
    this.#commands.push(...read.filter(({ message }) => wordsOf(message) !== undefined))
    this.#commands.splice(0, this.#commands.length - entriesShown)
  }

  async measured(): Promise<MeasuredSource> {
    const now = await this.now()
    const progress = this.#view.progress()
    return {
      startedAtMs: Date.parse(this.#view.status.createdAt),
      isRunning: this.#isRunning,
      progress,
      now,
      errors: this.#errors.read(progress.errors),
      cpuSeconds: undefined,
      cluster: this.#view.cluster(),
    }
  }

  close(): Promise<void> {
    return Promise.resolve()
  }
}

async function tooLate(): Promise<never> {
  await sleep(readingMsMax, undefined, { ref: false })
  throw new RankwardError('NATS_UNREACHABLE', 'The NATS servers did not respond in time.')
}

/** Undefined for messages that are not shown: settings, and grants, which workers write. */
function wordsOf(message: ControlMessage): string | undefined {
  switch (message.kind) {
    case 'pause':
      return 'paused'
    case 'resume':
      return 'continued'
    case 'stop':
      return `stopped (${message.reason})`
    default:
      return undefined
  }
}
