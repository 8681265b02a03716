/**
 * The control log of a crawl: its settings, and every command after them. Messages have increasing numbers; the first one is
 * the settings. The state of the crawl is a fold over the messages in order, so all workers that have read as far agree on it.
 *
 * A message is JSON. Fields that this version does not know are ignored; a *kind* that it does not know is refused, since a
 * command that is not obeyed would go unnoticed.
 */
import { RankwardError } from '../../lib/errors.ts'

/** Of the messages, groups and links of a crawl. Workers of one crawl have the same. */
export const controlFormat = 1

/** What a crawl is made of. It never changes: trust in seeds sums to 1 over all shards. */
export interface ClusterSettings {
  readonly kind: 'settings'
  readonly format: number
  /** The version of Rankward that began the crawl. */
  readonly rankward?: string | undefined
  readonly shards: number
  /** Servers that store each group: 1 or 3. */
  readonly replicas: number
  readonly seeds: readonly string[]
  /** The weight of each seed. */
  readonly trust: readonly number[]
  /** Data of the user in the object store (`jetstream-inputs.ts`); absent if there is none. */
  readonly inputs?: readonly string[] | undefined
  /** The options of the crawl, as in `crawl.json`. */
  readonly settings: Readonly<Record<string, unknown>>
  /** ISO time, for display. */
  readonly createdAt: string
}

/** No shard requests pages until a resume. */
interface PauseCommand {
  readonly kind: 'pause'
}

/** Ends a pause or a stop. */
interface ResumeCommand {
  readonly kind: 'resume'
}

/** Every shard finishes its requests and is released; workers end. */
interface StopCommand {
  readonly kind: 'stop'
  readonly reason: string
}

/** One worker finishes its requests, releases its shards and ends. */
interface DrainCommand {
  readonly kind: 'drain'
  /** The name of this start of it. */
  readonly worker: string
}

/** Allows shards to fetch so many pages more. */
interface GrantCommand {
  readonly kind: 'grant'
  readonly pages: readonly (readonly [shard: number, pages: number])[]
  /** By shard: the pages that the grant counts as given back. A journal that has fewer has lost its end. */
  readonly returned?: readonly number[] | undefined
}

/** Allows shards to use so many more shares of the rate at which pages are fetched. */
interface RateCommand {
  readonly kind: 'rate'
  readonly shares: readonly (readonly [shard: number, shares: number])[]
  /** By shard: the shares that the grant counts as given back. A journal that has fewer has lost its end. */
  readonly returned: readonly number[]
}

export type ControlCommand =
  | PauseCommand
  | ResumeCommand
  | StopCommand
  | DrainCommand
  | GrantCommand
  | RateCommand
export type ControlMessage = ClusterSettings | ControlCommand

export function encodeControl(message: ControlMessage): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(message))
}

/** Reads message `number` of a crawl; throws BAD_STREAM. */
export function readControl(bytes: Uint8Array, crawl: string, number: number): ControlMessage {
  const refused = (why: string): RankwardError =>
    new RankwardError('BAD_STREAM', `Control message ${number} of the crawl ${crawl} ${why}`)
  let message: Partial<Record<string, unknown>>
  try {
    message = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as typeof message
  } catch {
    throw refused('is not JSON: another program has written it, or it is truncated.')
  }
  const kind = typeof message === 'object' && message !== null ? message['kind'] : undefined
  if (typeof kind !== 'string') throw refused('has no kind: another program has written it.')
  if (!Object.hasOwn(checks, kind)) {
    throw refused(
      `is of the kind ${JSON.stringify(kind)}, which is of a newer version of Rankward: update this one.`,
    )
  }
  if (kind === 'settings' && message['format'] !== controlFormat) {
    throw refused(
      `has format ${JSON.stringify(message['format'])}, this version of Rankward has ${controlFormat}: use the version that began the crawl.`,
    )
  }
  if (!checks[kind as ControlMessage['kind']](message)) throw refused(`is no valid ${kind}.`)
  return message as unknown as ControlMessage
}

type Fields = Partial<Record<string, unknown>>

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0

const isText = (value: unknown): boolean => typeof value === 'string'
const isPositive = (value: unknown): boolean => isCount(value) && value > 0
const isWeight = (value: unknown): boolean => typeof value === 'number' && value >= 0
const isList = (value: unknown, isItem: (item: unknown) => boolean): value is unknown[] =>
  Array.isArray(value) && value.every((item) => isItem(item))
const isGrant = (value: unknown): boolean => isList(value, isCount) && value.length === 2

const checks: Readonly<Record<ControlMessage['kind'], (message: Fields) => boolean>> = {
  settings: ({ rankward, shards, replicas, seeds, trust, inputs, settings, createdAt }) =>
    (rankward === undefined || isText(rankward)) &&
    isPositive(shards) &&
    isPositive(replicas) &&
    isList(seeds, isText) &&
    isList(trust, isWeight) &&
    trust.length === seeds.length &&
    (inputs === undefined || isList(inputs, isText)) &&
    typeof settings === 'object' &&
    settings !== null &&
    isText(createdAt),
  pause: () => true,
  resume: () => true,
  stop: ({ reason }) => isText(reason),
  drain: ({ worker }) => isText(worker),
  grant: ({ pages, returned }) =>
    isList(pages, isGrant) && (returned === undefined || isList(returned, isCount)),
  rate: ({ shares, returned }) => isList(shares, isGrant) && isList(returned, isCount),
}

/** What the messages say together. */
export class ControlState {
  readonly crawl: string
  readonly settings: ClusterSettings
  /** The number of the last message. */
  number: number
  isPaused = false
  /** Why the crawl was stopped; undefined if it was not, or was resumed. */
  stopped: string | undefined
  /** Workers that were told to leave. */
  readonly drained = new Set<string>()
  /** The pages granted to each shard so far. */
  readonly granted: Float64Array
  /** The pages that grants have counted as given back, by shard. */
  readonly returned: Float64Array
  /** The same of shares of the rate. */
  readonly shares: Float64Array
  readonly sharesReturned: Float64Array
  /** When shares were granted last, by the clock of the store. */
  sharesMs = 0

  /** Milliseconds that the crawl has run before `#runningSince`, without pauses and stops. */
  #ranMs = 0
  /** Since when it runs, by the clock of the store; undefined while it is paused or stopped. */
  #runningSince: number | undefined

  /** The first message must be the settings. `atMs` is when it was stored, by the clock of the store. */
  constructor(crawl: string, number: number, first: ControlMessage, atMs = 0) {
    if (first.kind !== 'settings')
      throw new RankwardError(
        'BAD_STREAM',
        `The control stream of the crawl ${crawl} does not begin with settings.`,
      )
    this.crawl = crawl
    this.number = number
    this.settings = first
    this.granted = new Float64Array(first.shards)
    this.returned = new Float64Array(first.shards)
    this.shares = new Float64Array(first.shards)
    this.sharesReturned = new Float64Array(first.shards)
    this.#runningSince = atMs
  }

  /** How long the crawl has run at this time, in milliseconds. */
  ranMs(nowMs: number): number {
    const since = this.#runningSince
    return this.#ranMs + (since === undefined ? 0 : Math.max(0, nowMs - since))
  }

  /** The next message. */
  apply(number: number, message: ControlMessage, atMs = 0): void {
    const refused = (why: string): RankwardError =>
      new RankwardError('BAD_STREAM', `Control message ${number} of the crawl ${this.crawl} ${why}`)
    if (number <= this.number) throw refused(`follows message ${this.number}.`)
    switch (message.kind) {
      case 'settings':
        throw refused('is a second message with settings.')
      case 'pause':
        this.isPaused = true
        break
      case 'resume':
        this.isPaused = false
        this.stopped = undefined
        break
      case 'stop':
        this.stopped ??= message.reason
        break
      case 'drain':
        this.drained.add(message.worker)
        break
      case 'grant':
        grant(message.pages, this.granted, (shard) => refused(`grants pages to ${absent(shard)}`))
        count(message.returned ?? [], this.returned)
        break
      case 'rate':
        grant(message.shares, this.shares, (shard) => refused(`grants a rate to ${absent(shard)}`))
        count(message.returned, this.sharesReturned)
        this.sharesMs = atMs
        break
    }
    this.number = number
    const isRunning = !this.isPaused && this.stopped === undefined
    if (isRunning) this.#runningSince ??= atMs
    else {
      this.#ranMs = this.ranMs(atMs)
      this.#runningSince = undefined
    }
  }

  /** Whether a command would change anything; grants always do. */
  isNews(command: ControlCommand): boolean {
    if (command.kind === 'pause') return !this.isPaused
    if (command.kind === 'resume') return this.isPaused || this.stopped !== undefined
    if (command.kind === 'drain') return !this.drained.has(command.worker)
    return command.kind !== 'stop' || this.stopped === undefined
  }
}

const absent = (shard: number): string => `shard ${shard}, which does not exist.`

/** Adds grants to the sums of all grants. */
function grant(
  grants: readonly (readonly [shard: number, count: number])[],
  sums: Float64Array,
  refused: (shard: number) => Error,
): void {
  const unknown = grants.find(([shard]) => shard >= sums.length)
  if (unknown !== undefined) throw refused(unknown[0])
  for (const [shard, granted] of grants) sums[shard] += granted
}

/** What grants count as given back only grows. */
function count(returned: readonly number[], counts: Float64Array): void {
  for (const [shard, given] of returned.entries())
    if (shard < counts.length) counts[shard] = Math.max(counts[shard], given)
}
