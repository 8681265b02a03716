/** The parts of one crawl: what they remember, and those at work. */
import type { FactListener } from '../../engine/fact.ts'
import type { StopReason } from '../../engine/engine-options.ts'
import type { WorldListener } from '../../engine/world.ts'
import type { Reading } from '../../engine/reading.ts'
import type { Verdict } from '../../engine/recrawl-policy.ts'
import type { KindAccount } from '../../web/traps/kind-accounts.ts'
import type { CrawlProgress, CrawlTotals } from '../options/crawl-options.ts'
import type { CrawlSettings } from '../options/crawl-settings.ts'
import type { GroupBytes } from '../record/group.ts'
import type { RequestFilter } from '../desk/desk.ts'
import { noCopy, type CopyOf } from '../world/copy.ts'
import type { FetchResult } from '../world/fetch-result.ts'
import { mergedDecision, type LinkDecision } from '../world/page-links.ts'
import { allParts } from './all-parts.ts'
import type { PartState, RememberedCrawl } from './part-state.ts'
import type { OpenedCrawl, OpenedPart, OwnersObjection, PartPermission, PartWork } from './running-part.ts'
import type { PartWorld, RunningPart, SettledPage } from './running-part.ts'
import { Stations } from './stations.ts'

/** A part that a crawl uses. */
interface UsedPart {
  readonly name: string
  readonly work: PartWork
}

/** Loads the parts that a crawl uses, in the order of all parts. */
export function loadParts(settings: CrawlSettings): Promise<UsedPart[]> {
  const used = allParts.filter((part) => part.isUsed?.(settings) !== false)
  const loading = used.flatMap((part) => part.work?.().then((work) => ({ name: part.name, work })) ?? [])
  return Promise.all(loading)
}

/** What the parts of a crawl remember. */
export class PartStates {
  readonly used: readonly UsedPart[]
  readonly #states = new Map<UsedPart, PartState>()
  readonly #discovering: readonly PartState[]

  constructor(used: readonly UsedPart[], crawl: RememberedCrawl) {
    this.used = used
    for (const part of used) {
      const state = part.work.remember?.(crawl)
      if (state !== undefined) this.#states.set(part, state)
    }
    this.#discovering = this.all.filter((state) => state.discovered !== undefined)
    crawl.pages.watchFound((page, url, isSeed) => this.discovered(page, url, isSeed))
  }

  of(part: UsedPart): PartState | undefined {
    return this.#states.get(part)
  }

  /** A page was found. */
  discovered(page: number, url: string, isSeed: boolean): void {
    for (const state of this.#discovering) state.discovered!(page, url, isSeed)
  }

  /** In the order of a snapshot. */
  get all(): readonly PartState[] {
    return [...this.#states.values()]
  }

  /** The listeners to replayed facts. */
  get facts(): Partial<FactListener>[] {
    return this.all.flatMap(({ facts }) => facts ?? [])
  }

  /** Replays the sections of a group, after its facts. */
  replay(group: GroupBytes): void {
    for (const state of this.#states.values())
      if (state.section !== undefined) state.replay?.(group.section(state.section))
  }

  restored(): void {
    for (const state of this.#states.values()) state.restored?.()
  }
}

/** A crawl, for all of its parts. */
interface SessionCrawl extends Omit<OpenedCrawl, 'state' | 'secrets'> {
  /** By part. */
  readonly secrets?: Readonly<Record<string, unknown>> | undefined
}

/** The parts that this session uses. */
export class OpenedParts {
  readonly #opened: readonly OpenedPart[]

  private constructor(opened: readonly OpenedPart[]) {
    this.#opened = opened
  }

  static async open(states: PartStates, crawl: SessionCrawl): Promise<OpenedParts> {
    const opened: OpenedPart[] = []
    try {
      for (const part of states.used) {
        const secrets = crawl.secrets?.[part.name]
        const made = await part.work.open?.({ ...crawl, secrets, state: states.of(part) })
        if (made !== undefined) opened.push(made)
      }
    } catch (error) {
      await new OpenedParts(opened).close().catch(() => {})
      throw error
    }
    return new OpenedParts(opened)
  }

  /** In the order of the parts. */
  get filters(): RequestFilter[] {
    return this.#opened.flatMap(({ filter }) => filter ?? [])
  }

  begin(world: PartWorld): RunningParts {
    return new RunningParts(this.#opened.map((part) => part.begin(world)))
  }

  async close(): Promise<void> {
    for (const part of this.#opened.toReversed()) await part.close?.()
  }
}

/** The parts at work. */
export class RunningParts {
  readonly all: readonly RunningPart[]
  readonly stations: Stations
  readonly #deciding: readonly RunningPart[]
  readonly #reading: RunningPart | undefined
  readonly #recorded: readonly RunningPart[]
  readonly #full: readonly RunningPart[]
  readonly #objection: readonly RunningPart[]
  readonly #permission: readonly RunningPart[]
  readonly #copies: RunningPart | undefined
  readonly #fetched: readonly RunningPart[]
  readonly #failed: readonly RunningPart[]
  readonly #looked: readonly RunningPart[]
  readonly #deliver: readonly RunningPart[]
  readonly #turn: readonly RunningPart[]

  constructor(all: readonly RunningPart[]) {
    const having = (name: keyof RunningPart): RunningPart[] => all.filter((part) => part[name] !== undefined)
    this.all = all
    this.stations = new Stations(all.flatMap(({ station }) => station ?? []))
    this.#deciding = having('linkDecision')
    ;[this.#reading] = having('reading')
    this.#recorded = having('recorded')
    this.#full = having('full')
    this.#objection = having('objection')
    this.#permission = having('permission')
    this.#copies = having('copyOf')[0]
    this.#fetched = having('fetched')
    this.#failed = having('failed')
    this.#looked = having('looked')
    this.#deliver = having('deliver')
    this.#turn = having('turn')
  }

  /** Pages to start from beside the seeds; undefined if no part has any to look for. */
  seeds(seeds: readonly string[]): Promise<string[]> | undefined {
    const found = this.all.flatMap((part) => part.seeds?.(seeds) ?? [])
    return found.length === 0 ? undefined : Promise.all(found).then((lists) => lists.flat())
  }

  /** What parts decided about the links of a page; undefined: all of them count. */
  linkDecision(result: FetchResult): LinkDecision | undefined {
    if (this.#deciding.length === 0) return undefined
    return mergedDecision(this.#deciding.flatMap((part) => part.linkDecision!(result) ?? []))
  }

  /** How well new content fits what the crawl looks for; undefined if it looks for nothing, or the page says nothing. */
  reading(page: number, result: FetchResult): Reading | undefined {
    return this.#reading?.reading!(page, result)
  }

  /** Whether the owner of a page objects to a request. */
  objection(page: number, url: string): OwnersObjection | undefined {
    for (const part of this.#objection) {
      const objection = part.objection!(page, url)
      if (objection !== undefined) return objection
    }
    return undefined
  }

  permission(page: number, url: string): PartPermission | undefined {
    for (const part of this.#permission) {
      const permission = part.permission!(page, url)
      if (permission !== undefined) return permission
    }
    return undefined
  }

  copyOf(page: number, result: FetchResult): CopyOf {
    return this.#copies?.copyOf!(page, result) ?? noCopy
  }

  failed(page: number): void {
    for (const part of this.#failed) part.failed!(page)
  }

  fetched(page: SettledPage): void {
    for (const part of this.#fetched) part.fetched!(page)
  }

  looked(page: number, seconds: number, verdict: Verdict, result: FetchResult | undefined): void {
    for (const part of this.#looked) part.looked!(page, seconds, verdict, result)
  }

  deliver(listener: WorldListener): void {
    for (const part of this.#deliver) part.deliver!(listener)
  }

  get hasNews(): boolean {
    return this.#deliver.some(({ hasNews }) => hasNews === true)
  }

  /** Sends requests that are due; returns when there is more to do. */
  turn(): number {
    let next = Infinity
    for (const part of this.#turn) next = Math.min(next, part.turn!())
    return next
  }

  /** Resolves when a part that cannot take more pages can; undefined if all can now. */
  full(): Promise<void> | undefined {
    for (const part of this.#full) {
      const room = part.full!()
      if (room !== undefined) return room
    }
    return undefined
  }

  /** A group is durable. */
  async recorded(group: GroupBytes): Promise<void> {
    for (const part of this.#recorded) await part.recorded!(group)
  }

  /** Whether a part has work left after the engine has finished. */
  isUnfinished(): boolean {
    return this.all.some((part) => part.isUnfinished?.() === true)
  }

  get stopped(): StopReason | undefined {
    return this.all.find(({ stopped }) => stopped !== undefined)?.stopped
  }

  stop(because: StopReason, atOnce: boolean): void {
    for (const part of this.all) part.stop?.(because, atOnce)
  }

  /** The next group is the last. */
  ending(): void {
    for (const part of this.all) part.ending?.()
  }

  beforeGroup(): void {
    for (const part of this.all) part.beforeGroup?.()
  }

  ended(): void {
    for (const part of this.all) part.ended?.()
  }

  fail(error: Error): void {
    for (const part of this.all) part.fail?.(error)
  }

  accountOf(kind: string): KindAccount | undefined {
    return this.all.find((part) => part.accountOf !== undefined)?.accountOf!(kind)
  }

  counts(): object {
    return Object.assign({}, ...this.all.map((part) => part.counts?.()))
  }

  progress(): Partial<CrawlProgress> {
    return Object.assign({}, ...this.all.map((part) => part.progress?.()))
  }

  totals(): Partial<CrawlTotals> {
    return Object.assign({}, ...this.all.map((part) => part.totals?.()))
  }
}
