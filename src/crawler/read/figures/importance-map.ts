/**
 * The importance of sites and of their directories: what their pages hold, and what rests on pages that were not
 * fetched. Two numbers per site; directories only of the sites that are shown.
 */
import { grouped } from '../../../lib/amounts.ts'
import type { CrawlModel } from '../model/crawl-model.ts'
import type { HostMasses } from '../model/mass-flow.ts'
import { partOfPath, pathOf } from '../model/paths.ts'
import { TopList } from '../model/top-list.ts'

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
  readonly #model: CrawlModel
  readonly #masses: HostMasses
  /** By host that is shown: its directories by name. */
  readonly #directories = new Map<number, Map<string, Mass>>()

  constructor(model: CrawlModel) {
    this.#model = model
    this.#masses = model.mass.byHost(model.hosts)
    const top = new TopList<number>(sitesShown, (host) => this.#sum(host))
    for (const host of model.hosts.all()) if (this.#sum(host) > 0) top.add(host)
    for (const host of top.items) this.#directories.set(host, new Map())
  }

  /** Adds a known page. */
  add(page: number, url: string): void {
    const directories = this.#directories.get(this.#model.hostOf(page))
    const mass = this.#model.mass.massOf(page)
    if (directories === undefined || mass === 0) return
    let { name } = partOfPath(pathOf(url), '/')
    if (!name.endsWith('/')) name = '/'
    if (!directories.has(name) && directories.size >= directoriesMax) name = ''
    const sums = directories.get(name) ?? { held: 0, waiting: 0 }
    sums[this.#model.known.pages.isHeld(page) ? 'held' : 'waiting'] += mass
    directories.set(name, sums)
  }

  result(): ImportanceArea[] {
    const shown = [...this.#directories].map(([host, directories]): ImportanceArea => {
      const all = [...directories].map(([name, mass]) => ({ name, ...mass }))
      const parts = largest(all, directoriesShown, (count) => `${grouped(count)} others`)
      return { name: this.#model.hosts.name(host), ...this.#massOf(host), parts }
    })
    const rest = this.#model.hosts
      .all()
      .filter((host) => !this.#directories.has(host) && this.#sum(host) > 0)
      .map((host) => ({ name: '', ...this.#massOf(host) }))
    return rest.length === 0
      ? shown
      : [...shown, { ...summed(`${grouped(rest.length)} other sites`, rest), isRest: true }]
  }

  #massOf(host: number): Mass {
    return { held: this.#masses.held[host], waiting: this.#masses.resting[host] }
  }

  #sum(host: number): number {
    return this.#masses.held[host] + this.#masses.resting[host]
  }
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
