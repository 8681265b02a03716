/**
 * Links to fragments, and the names that pages have. Both are kept as hashes: 4 bytes for a name, 12 for a link to another page.
 * Links that are found to be broken are read again for their texts.
 */
import { fingerprint } from '../../lib/fingerprint.ts'
import { GrowingUint32 } from '../../lib/growing-array.ts'

/** Fragments that are no names: routes of scripts, and text that the browser looks for. */
const notNames = /^(!|\/|:~:)/

/** The name that a fragment refers to; undefined if it is the top of the page, or no name. */
export function nameOf(fragment: string): string | undefined {
  const [name] = fragment.split(':~:', 1)
  if (name === '' || name.toLowerCase() === 'top' || notNames.test(fragment)) return undefined
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

export function hashOf(name: string): number {
  fingerprint(name, words, 0)
  return words[0]
}
const words = new Uint32Array(2)

export class Fragments {
  readonly #names = new GrowingUint32()
  #nameCount = 0
  /** By page: where its names start and end; both 0 if it was not read, or not as a whole. */
  readonly #start: Uint32Array
  readonly #end: Uint32Array
  readonly #sources = new GrowingUint32()
  readonly #targets = new GrowingUint32()
  readonly #hashes = new GrowingUint32()
  #links = 0
  readonly #isRead: Uint8Array

  constructor(pages: number) {
    this.#start = new Uint32Array(pages)
    this.#end = new Uint32Array(pages)
    this.#isRead = new Uint8Array(pages)
  }

  addNames(page: number, names: readonly string[]): void {
    const hashes = Uint32Array.from(names, hashOf).sort()
    this.#start[page] = this.#nameCount
    for (const hash of hashes) {
      this.#names.ensure(this.#nameCount)
      this.#names.array[this.#nameCount++] = hash
    }
    this.#end[page] = this.#nameCount
    this.#isRead[page] = 1
  }

  addLink(source: number, target: number, name: string): void {
    const at = this.#links++
    for (const column of [this.#sources, this.#targets, this.#hashes]) column.ensure(at)
    this.#sources.array[at] = source
    this.#targets.array[at] = target
    this.#hashes.array[at] = hashOf(name)
  }

  /** The pages with a link to a name that the target, which was read, does not have. */
  brokenSources(): number[] {
    const broken = new Set<number>()
    for (let i = 0; i < this.#links; i++)
      if (this.isMissing(this.#targets.array[i], this.#hashes.array[i])) broken.add(this.#sources.array[i])
    return [...broken]
  }

  isMissing(page: number, hash: number): boolean {
    if (this.#isRead[page] === 0) return false
    let low = this.#start[page]
    let high = this.#end[page]
    while (low < high) {
      const middle = (low + high) >>> 1
      const value = this.#names.array[middle]
      if (value === hash) return false
      if (value < hash) low = middle + 1
      else high = middle
    }
    return true
  }
}
