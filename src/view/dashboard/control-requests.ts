/** Requests that change the crawl: their bodies are checked, then carried out by the session (src/crawler/session/crawl-control.ts). */
import type { LiveCrawl } from '../../crawler/session/session.ts'
import type { ControlEntry } from '../../crawler/session/crawl-control.ts'
import type { CrawlSettings } from '../../crawler/options/crawl-settings.ts'
import { liveOptions, liveValue, readLive } from '../../crawler/options/live-options.ts'
import type { LiveName, SettingsChange } from '../../crawler/options/live-options.ts'
import type { Budgets, ControlRequests, ControlState, SettingField } from './api/index.ts'
import { ApiFailure } from './api-failure.ts'

type Body = Readonly<Record<string, unknown>>

const entriesShown = 100

/** What each control does. */
const actions: { readonly [Name in keyof ControlRequests]: (live: LiveCrawl, body: Body) => ControlEntry } = {
  pause: ({ control }, body) => {
    fieldsOf(body, [])
    return control.pause()
  },
  resume: ({ control }, body) => {
    fieldsOf(body, [])
    return control.resume()
  },
  stop: ({ control }, body) => {
    const { isAbrupt = false } = fieldsOf(body, ['isAbrupt'])
    if (typeof isAbrupt !== 'boolean') throw bad('isAbrupt must be true or false.')
    return control.stop(isAbrupt)
  },
  settings: ({ control }, body) => control.change(settingsOf(body)),
  exclude: ({ control }, body) => control.exclude(textOf(fieldsOf(body, ['pattern']), 'pattern')),
  seed: ({ control }, body) => control.addSeed(textOf(fieldsOf(body, ['url']), 'url')),
  retry: ({ control }, body) => {
    const given = fieldsOf(body, ['site'])
    return control.retry(given['site'] === undefined ? undefined : textOf(given, 'site'))
  },
}

/** Carries out a control by name. */
export function control(
  live: LiveCrawl | undefined,
  name: keyof ControlRequests,
  body: unknown,
): ControlEntry {
  if (live === undefined) {
    throw new ApiFailure('not-running', 'This process does not run the crawl, or the crawl has ended.')
  }
  return actions[name](live, objectOf(body))
}

/** The command for a crawl on a cluster. */
export function commandOf(
  name: keyof ControlRequests,
  body: unknown,
): { readonly kind: 'pause' | 'resume' } | { readonly kind: 'stop'; readonly reason: string } {
  const given = objectOf(body)
  if (name === 'stop') {
    if (fieldsOf(given, ['isAbrupt'])['isAbrupt'] === true)
      throw bad('Workers finish their requests: isAbrupt is not possible on a cluster.')
    return { kind: 'stop', reason: 'by the dashboard' }
  }
  if (name === 'pause' || name === 'resume') {
    fieldsOf(given, [])
    return { kind: name }
  }
  throw new ApiFailure('unavailable', 'A crawl on a cluster can be paused, continued and stopped only.')
}

function objectOf(body: unknown): Body {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw bad('Expected a JSON object.')
  return body as Body
}

export function controlState(
  live: LiveCrawl | undefined,
  settings: CrawlSettings,
  entries: readonly ControlEntry[],
): ControlState {
  const isPossible = live !== undefined && !live.control.isStopping
  const isPaused = live?.control.isPaused === true
  const steps = isPaused ? (['resume', 'stop'] as const) : (['pause', 'stop'] as const)
  return {
    isPossible,
    actions: isPossible ? [...steps, 'settings', 'exclude', 'seed', 'retry'] : [],
    isPaused,
    isStopping: live?.control.isStopping === true,
    isStopped: false,
    settings: settingFields(settings),
    exclude: settings.exclude,
    retryable: live?.control.retryable() ?? { sites: 0, pages: 0 },
    entries: entries.toReversed().slice(0, entriesShown),
  }
}

export function budgetsOf({ pages, failures, coverage, seconds, bytes }: CrawlSettings): Budgets {
  return { pages, failures, coverage, seconds, bytes }
}

const bad = (message: string): ApiFailure => new ApiFailure('bad-request', message)

/** The body, if it has these fields only. */
function fieldsOf(body: Body, names: readonly string[]): Body {
  const unknown = Object.keys(body).find((name) => !names.includes(name))
  if (unknown === undefined) return body
  throw bad(names.length === 0 ? 'Expected an empty object.' : `Expected no fields but: ${names.join(', ')}.`)
}

function textOf(body: Body, name: string): string {
  const value = body[name]
  if (typeof value === 'string' && value.trim() !== '' && value.length <= 2048) return value
  throw bad(`${name} must be a text of at most 2048 characters.`)
}

/** What can be changed, and its values. */
export function settingFields(settings: CrawlSettings): SettingField[] {
  return [...liveOptions.keys()]
    .map((name) => ({ ...fieldOf(name), value: liveValue(settings, name) }))
    .filter(({ value, isBudget }) => value !== undefined || isBudget)
}

function fieldOf(name: LiveName): SettingField {
  const {
    live: { label, factor = 1, unlimited },
    kind: { range },
  } = liveOptions.get(name)!
  return {
    name,
    label,
    factor,
    min: range.min,
    max: range.max,
    isOpen: range.isOpen === true,
    isWhole: range.isWhole === true,
    isBudget: unlimited !== undefined,
  }
}

function settingsOf(body: Body): SettingsChange {
  const given = Object.entries(fieldsOf(body, [...liveOptions.keys()])) as [LiveName, unknown][]
  if (given.length === 0) throw bad('Expected at least one setting.')
  return Object.fromEntries(
    given.map(([name, value]) => {
      const read = readLive(name, value)
      if (read === undefined) throw bad(rangeText(fieldOf(name)))
      return [name, read]
    }),
  )
}

/** With the label and the unit of the page. Scripts read the range of the field, too. */
function rangeText({ name, label, factor, min, max, isWhole, isOpen }: SettingField): string {
  const range = (by: number): string => {
    const [low, high] = [min, max ?? Infinity].map((bound) => Number((bound * by).toPrecision(6)))
    if (max === undefined) return isOpen ? `above ${low}` : `of at least ${low}`
    return isOpen ? `between ${low} and ${high}` : `from ${low} to ${high}`
  }
  const number = isWhole && factor === 1 ? 'a whole number' : 'a number'
  const own = factor === 1 ? `field ${name}` : `field ${name}: ${range(1)}`
  return `“${label}” must be ${number} ${range(factor)} (${own}).`
}
