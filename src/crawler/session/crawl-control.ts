/**
 * Changes of a crawl while it runs: pause, budgets, politeness, an excluded pattern, another seed, retries. Every change
 * that the engine depends on is a fact, so that a replay and a resume decide the same; the settings from then on and a
 * list of all changes are in the record (`settings`).
 */
import { noParent } from '../../engine/strategy.ts'
import { RankwardError } from '../../lib/errors.ts'
import { ValueError } from '../../lib/value-kinds.ts'
import { pageConnections } from '../parts/all-parts.ts'
import { failuresMaxOf, recordedSettings, type CrawlSettings } from '../options/crawl-settings.ts'
import { liveOptions, type LiveName, type SettingsChange } from '../options/live-options.ts'
import { patternValue } from '../options/value-kinds.ts'
import type { CrawlRecord } from '../record/crawl-record.ts'
import { plural } from '../../lib/amounts.ts'
import { unprovenMaxOf } from '../../engine/connections.ts'
import { canonicalUrl } from '../../web/url/canonical-url.ts'
import type { SessionParts } from './session-parts.ts'
import { temporaryFailures } from './temporary-failures.ts'

/** A change, as recorded. */
export interface ControlEntry {
  readonly atMs: number
  readonly action: ControlAction
  /** In words. */
  readonly what: string
}

type ControlAction = 'pause' | 'resume' | 'stop' | 'settings' | 'exclude' | 'seed' | 'retry'

interface ControlOptions {
  readonly parts: SessionParts
  readonly settings: () => CrawlSettings
  /** Uses other settings from now on and writes them to crawl.json. */
  readonly replace: (settings: CrawlSettings) => void
  readonly stop: (atOnce: boolean) => void
  /** Earlier entries, the oldest first. */
  readonly entries: readonly ControlEntry[]
  readonly onEntry: (entry: ControlEntry) => void
}

function settingText(name: LiveName, value: number | null): string {
  const { said, unlimited } = liveOptions.get(name)!.live
  return value === null ? `no limit of ${unlimited}` : said(value)
}

/** Entries that are kept. */
const entriesMax = 1000

/** The settings for the record. */
export function shownSettings(settings: CrawlSettings, controls: readonly ControlEntry[] = []): object {
  return { ...recordedSettings(settings), ...(controls.length === 0 ? {} : { controls }) }
}

/** The recorded changes of a crawl, the oldest first. */
export function controlEntries(settings: CrawlRecord['settings']): readonly ControlEntry[] {
  const last: { readonly controls?: readonly ControlEntry[] } = settings.at(-1)?.settings ?? {}
  return last.controls ?? []
}

export class CrawlControl {
  readonly #options: ControlOptions
  readonly #entries: ControlEntry[]
  isPaused = false

  constructor(options: ControlOptions) {
    this.#options = options
    this.#entries = [...options.entries]
  }

  /** The oldest first. */
  get entries(): readonly ControlEntry[] {
    return this.#entries
  }

  /** Sends no more requests until `resume`; those in flight finish. */
  pause(): ControlEntry {
    this.#checkRunning()
    this.isPaused = true
    return this.#enter('pause', 'paused')
  }

  resume(): ControlEntry {
    this.#checkRunning()
    this.isPaused = false
    return this.#enter('resume', 'continued')
  }

  stop(atOnce: boolean): ControlEntry {
    const entry = this.#enter('stop', atOnce ? 'stopped at once' : 'stopped')
    this.#options.stop(atOnce)
    return entry
  }

  change(change: SettingsChange): ControlEntry {
    this.#checkRunning()
    const before = this.#options.settings()
    const given = (Object.entries(change) as [LiveName, number | null | undefined][]).filter(
      ([, value]) => value !== undefined,
    ) as [LiveName, number | null][]
    if (change.rate !== undefined && before.recrawl?.isContinuous !== true) {
      throw new RankwardError(
        'USAGE',
        'Only a continuous crawl has a rate: this one fetches every page once.',
      )
    }
    const settings = given
      .filter(([name]) => name !== 'rate')
      .map(([name, value]) => [name, value ?? undefined])
    const after: CrawlSettings = {
      ...before,
      ...Object.fromEntries(settings),
      recrawl: before.recrawl && { ...before.recrawl, rate: change.rate ?? before.recrawl.rate },
    }
    const isBudget = (['pages', 'failures', 'coverage'] as const).some((name) => after[name] !== before[name])
    if (isBudget) {
      const { engine } = this.#options.parts
      engine.budget(after.pages ?? Infinity, after.coverage ?? Infinity, failuresMaxOf(after))
    }
    this.#options.replace(after)
    const said = given.map(([name, value]) => settingText(name, value))
    return this.#enter('settings', said.join(', '))
  }

  /** Fetches no more pages that match. Waiting ones are refused when they are due. */
  exclude(pattern: string): ControlEntry {
    this.#checkRunning()
    try {
      patternValue.read(pattern)
    } catch (error) {
      if (error instanceof ValueError) throw new RankwardError('USAGE', error.message)
      throw error
    }
    const before = this.#options.settings()
    this.#options.replace({ ...before, exclude: [...before.exclude, pattern], scopeChanged: true })
    return this.#enter('exclude', `excluded ${pattern}`)
  }

  /** Adds a page to fetch. It has no trust: the coverage of the crawl stays comparable. */
  addSeed(url: string): ControlEntry {
    this.#checkRunning()
    const { engine, pages } = this.#options.parts
    const canonical = canonicalUrl(url, undefined, this.#options.settings().canonicalRules)
    if (canonical === undefined || !/^https?:/.test(canonical)) {
      throw new RankwardError('USAGE', 'Expected an http or https URL, such as https://example.org/.')
    }
    const site = pages.addSeed(canonical)
    if (site === undefined) throw new RankwardError('USAGE', 'The crawl knows this page already.')
    engine.listed(site, noParent)
    return this.#enter('seed', `added ${canonical}`)
  }

  /** Requests pages again that failed for a temporary reason, on one site or on all. */
  retry(siteName?: string): ControlEntry {
    this.#checkRunning()
    const { engine, record, sites, reachability, book, world } = this.#options.parts
    const only = siteName === undefined ? undefined : sites.find(siteName)
    if (siteName !== undefined && only === undefined) {
      throw new RankwardError('USAGE', 'The crawl knows no such site.')
    }
    let count = 0
    for (const failure of temporaryFailures(engine.pages, record)) {
      const site = engine.pages.siteOf(failure.page)
      if (only !== undefined && site !== only) continue
      reachability.forgive(site)
      engine.retry(failure.page)
      book.retried(failure)
      if (failure.record.status > 0) world.retry(failure.page)
      sites.addWaiting(site)
      count++
    }
    return this.#enter(
      'retry',
      `requests ${plural(count, 'failed page')} again${only === undefined ? '' : ` on ${siteName}`}`,
    )
  }

  /** Failed sites and pages that `retry` would request again. */
  retryable(): { sites: number; pages: number } {
    const { engine, record } = this.#options.parts
    const sites = new Set<number>()
    let pages = 0
    for (const { page } of temporaryFailures(engine.pages, record)) {
      sites.add(engine.pages.siteOf(page))
      pages++
    }
    return { sites: sites.size, pages }
  }

  /** A crawl that stops cannot be changed. */
  #checkRunning(): void {
    if (this.isStopping) throw new RankwardError('USAGE', 'The crawl is stopping.')
  }

  get isStopping(): boolean {
    return this.#options.parts.engine.stopReason !== undefined
  }

  #enter(action: ControlAction, what: string): ControlEntry {
    const { parts, settings, onEntry } = this.#options
    const entry = { atMs: Date.now(), action, what }
    this.#entries.push(entry)
    if (this.#entries.length > entriesMax) this.#entries.shift()
    // A limit of 0 connections is a pause. The fact also makes the group of this change durable.
    const connections = this.isPaused ? 0 : pageConnections(settings())
    parts.engine.connections(connections, this.isPaused ? 0 : unprovenMaxOf(connections))
    parts.record.putSettings(shownSettings(settings(), this.#entries))
    parts.groups.touch()
    parts.world.wake()
    onEntry(entry)
    return entry
  }
}
