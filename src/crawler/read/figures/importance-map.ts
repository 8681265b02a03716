/**
 * The importance of sites and of their directories: what their pages hold, and what rests on pages that were not
 * fetched. Two numbers per site; directories only of the sites that are shown.
 */
import { noSite } from '../../../engine/world.ts'
import { grouped } from '../../../lib/amounts.ts'
import type { ImportanceReplay } from './importance-replay.ts'
import { TopList } from './top-list.ts'

const sitesShown = 30
const directoriesShown = 12
/** A site may have any number of directories: only this many are counted separately. */
const directoriesMax = 10_000

/** A site, or a directory of it. */
export interface ImportanceArea {
  readonly name: string
  /** Shares of all importance, from 0 to 1. */
  readonly held: number
  readonly waiting: number
  readonly parts?: readonly ImportanceArea[] | undefined
  /** It stands for all sites that are not listed. */
  readonly isRest?: boolean | undefined
}

interface Mass {
  held: number
  waiting: number
}

export class ImportanceMap {
  readonly #replay: ImportanceReplay
  readonly #siteNames: readonly string[]
  readonly #held: Float64Array
  readonly #waiting: Float64Array
  /** By site that is shown: its directories by name. */
  readonly #directories = new Map<number, Map<string, Mass>>()

  readonly #firstOfName: Uint32Array

  /** `firstOfName`: by site, the first one with its name (`first-sites.ts`). */
  constructor(replay: ImportanceReplay, siteNames: readonly string[], firstOfName: Uint32Array) {
    this.#replay = replay
    this.#firstOfName = firstOfName
    this.#siteNames = siteNames
    this.#held = new Float64Array(siteNames.length)
    this.#waiting = new Float64Array(siteNames.length)
    for (let page = 0; page < replay.pages.known; page++) {
      const ownSite = replay.pages.siteOf(page)
      if (ownSite === noSite) continue
      const site = firstOfName[ownSite]
      this.#held[site] += replay.massOf(page)
      this.#waiting[site] += this.#waitingOn(page)
    }
    const top = new TopList<number>(sitesShown, (site) => this.#held[site] + this.#waiting[site])
    for (let site = 0; site < siteNames.length; site++) {
      if (this.#held[site] + this.#waiting[site] > 0) top.add(site)
    }
    for (const site of top.items) this.#directories.set(site, new Map())
  }

  /** Adds a known page. */
  add(page: number, url: string): void {
    const site = this.#replay.pages.siteOf(page)
    const directories = site === noSite ? undefined : this.#directories.get(this.#firstOfName[site])
    const held = this.#replay.massOf(page)
    const waiting = this.#waitingOn(page)
    if (directories === undefined || held + waiting === 0) return
    let name = directoryOf(url)
    if (!directories.has(name) && directories.size >= directoriesMax) name = ''
    const mass = directories.get(name) ?? { held: 0, waiting: 0 }
    mass.held += held
    mass.waiting += waiting
    directories.set(name, mass)
  }

  result(): ImportanceArea[] {
    const shown = [...this.#directories].map(([site, directories]): ImportanceArea => {
      const all = [...directories].map(([name, mass]) => ({ name, ...mass }))
      const parts = largest(all, directoriesShown, (count) => `${grouped(count)} others`)
      const mass = { held: this.#held[site], waiting: this.#waiting[site] }
      return { name: this.#siteNames[site] ?? '', ...mass, parts }
    })
    const rest: ImportanceArea[] = []
    for (let site = 0; site < this.#siteNames.length; site++) {
      const mass = { held: this.#held[site], waiting: this.#waiting[site] }
      if (!this.#directories.has(site) && mass.held + mass.waiting > 0) rest.push({ name: '', ...mass })
    }
    return rest.length === 0
      ? shown
      : [...shown, { ...summed(`${grouped(rest.length)} other sites`, rest), isRest: true }]
  }

  /** Mass that waits on a page that was not fetched, whatever the reason. */
  #waitingOn(page: number): number {
    return this.#replay.pages.isCrawled(page) ? 0 : this.#replay.restingOf(page)
  }
}

/** The first directory of a URL's path: `/docs/` of `https://example.org/docs/a/b`; `/` for a page above them. */
function directoryOf(url: string): string {
  const [, path = '/'] = /^[a-z]+:\/\/[^/?#]*(\/[^?#]*)/i.exec(url) ?? []
  const end = path.indexOf('/', 1)
  return end < 0 ? '/' : path.slice(0, end + 1)
}

function largest(
  parts: readonly ImportanceArea[],
  count: number,
  restName: (count: number) => string,
): ImportanceArea[] {
  const sorted = parts.toSorted((a, b) => b.held + b.waiting - (a.held + a.waiting))
  const rest = sorted.slice(count)
  return rest.length < 2 ? sorted : [...sorted.slice(0, count), summed(restName(rest.length), rest)]
}

function summed(name: string, parts: readonly ImportanceArea[]): ImportanceArea {
  const sum = (of: (part: ImportanceArea) => number): number =>
    parts.reduce((total, part) => total + of(part), 0)
  return { name, held: sum(({ held }) => held), waiting: sum(({ waiting }) => waiting) }
}
