/**
 * The hosts of a crawl. A host of the user's own has several sites of the same name, its channels; figures show it once: as the
 * first of them. About 60 bytes per site.
 */
import { GrowingUint32 } from '../../../lib/growing-array.ts'
import { noSite } from '../../../engine/world.ts'

export class Hosts {
  readonly #record: { readonly siteNames: readonly string[] }
  readonly #byName = new Map<string, number>()
  readonly #first = new GrowingUint32(64)
  #count = 0

  constructor(record: { readonly siteNames: readonly string[] }) {
    this.#record = record
  }

  /** The first site with the name of this one; `noSite` for a page that belongs to none. */
  of(site: number): number {
    if (site >= this.#count) this.#read()
    return site < this.#count ? this.#first.array[site] : noSite
  }

  /** Undefined if the crawl knows no such host. */
  find(name: string): number | undefined {
    this.#read()
    return this.#byName.get(name)
  }

  /** In the order of their discovery. */
  all(): number[] {
    this.#read()
    return [...this.#byName.values()]
  }

  /** Number of sites, channels included: arrays by host have this length. */
  get siteCount(): number {
    return this.#record.siteNames.length
  }

  name(host: number): string {
    return this.#record.siteNames[host] ?? ''
  }

  #read(): void {
    const { siteNames } = this.#record
    for (; this.#count < siteNames.length; this.#count++) {
      const name = siteNames[this.#count]
      const first = this.#byName.get(name)
      if (first === undefined) this.#byName.set(name, this.#count)
      this.#first.ensure(this.#count)
      this.#first.array[this.#count] = first ?? this.#count
    }
  }
}
