/**
 * Views of pages that have a key, such as the hash of a commit. The pages of some kinds *introduce* keys: a commit, found on a
 * list or on another commit, is the first page with its key. Pages of other kinds carry keys that are held already: the
 * difference, the patch, the archive, the tree and the log of the commit. Such a kind shows the same things again, and is put
 * last. A site must have several keys, since a single one may be that of a session.
 *
 * A kind with few pages is judged by the first of its folders that has enough. 16 bytes and a slot in a table for each kind and
 * folder, a slot for each key.
 */
import { GrowingFloat64 } from '../../lib/growing-array.ts'
import type { StateCodec } from '../../lib/state.ts'
import { Numbering } from './numbering.ts'
import { actionKindOf, foldersOf, hostIn, keyIn, kindOf } from './page-kind.ts'

/** Keys of a site before its kinds are judged. */
const keysMin = 8
/** Pages of a kind or folder with keys before it is judged. */
const pagesMin = 4
/** A kind whose pages introduce keys at this rate has pages of its own. */
const introducedMin = 0.5

export class KeyedPages {
  readonly #keys = new Numbering()
  /** Kinds, folders and sites. */
  readonly #names = new Numbering()
  /** Fetched pages with a key, by these; and how many of them introduced theirs. */
  readonly #pages = new GrowingFloat64(64)
  readonly #introduced = new GrowingFloat64(64)

  fetched(url: string): void {
    const key = keyIn(url)
    if (key === undefined) return
    const host = hostIn(url)
    const isNew = this.#keys.find(`${host} ${key}`) === undefined
    if (isNew && this.#keys.add(`${host} ${key}`) === undefined) return
    const kind = kindOf(url)
    for (const name of new Set([host, actionKindOf(url, kind), kind, ...foldersOf(url)])) {
      const number = this.#names.add(name)
      if (number === undefined) continue
      this.#pages.ensure(number)
      this.#introduced.ensure(number)
      this.#pages.array[number]++
      this.#introduced.array[number] += Number(isNew)
    }
  }

  /** Whether a page shows again what a page with its key shows. */
  isView(url: string, kind: string): boolean {
    if (keyIn(url) === undefined) return false
    const host = this.#names.find(hostIn(url))
    if (host === undefined || this.#introduced.array[host] < keysMin) return false
    const names = [actionKindOf(url, kind), kind, ...foldersOf(url)].map((name) => this.#names.find(name))
    const judged = names.find((number) => number !== undefined && this.#pages.array[number] >= pagesMin)
    if (judged === undefined) return false
    return this.#introduced.array[judged] < introducedMin * this.#pages.array[judged]
  }

  transfer(state: StateCodec): void {
    state.section('keyed pages', 1)
    this.#keys.transfer(state)
    this.#names.transfer(state)
    state.growing(this.#pages)
    state.growing(this.#introduced)
  }
}
