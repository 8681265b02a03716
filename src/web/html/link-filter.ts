/**
 * Links that the user leaves out: those with some word in their rel, and those outside of all elements of some
 * names. There is no tree: the open elements of these names are a stack, and an end tag closes those inside of it
 * too. So the names must be of elements whose end tags are required (`isRegion`).
 */
import { ascii, classes, whiteSpace } from './bytes.ts'
import { isWord } from './link-words.ts'
import { baseMark, elsewhereFlag, feedMark, ignoredRelFlag, miningMark, refreshMark } from './marks.ts'
import { robotsMark } from './marks.ts'

export interface LinkChoice {
  /** Links with one of these words in rel are left out. */
  readonly ignoredRel?: readonly string[] | undefined
  /** Only links inside of these elements count; all links if there are none. */
  readonly linksFrom?: readonly string[] | undefined
}

/** Elements without an end tag, with an optional one, or that the scanner reads as text or another language. */
const unsuitable = new Set(
  [
    'a area base br col embed frame hr iframe img input link meta param source track wbr html head body p li dt dd',
    'tr td th thead tbody tfoot caption colgroup option optgroup rp rt title textarea script style xmp noembed',
    'noframes plaintext template svg math',
  ].flatMap((row) => row.split(' ')),
)

/** Whether links may be taken from elements of this name. */
export function isRegion(name: string): boolean {
  return /^[a-z][a-z0-9-]{0,31}$/i.test(name) && !unsuitable.has(name.toLowerCase())
}

/** Marks that are no links to follow. */
const unfiltered = new Set([baseMark, robotsMark, refreshMark, feedMark, miningMark])

/** Deeper nesting is not followed: its elements count as one. */
const depthMax = 1024

export class LinkFilter {
  readonly #rel: readonly Uint8Array[]
  readonly #names: readonly Uint8Array[]
  /** The open elements, as positions in `#names`. */
  readonly #open: number[] = []

  /** Undefined if nothing is left out. */
  static of({ ignoredRel = [], linksFrom = [] }: LinkChoice): LinkFilter | undefined {
    return ignoredRel.length + linksFrom.length === 0 ? undefined : new LinkFilter(ignoredRel, linksFrom)
  }

  private constructor(rel: readonly string[], names: readonly string[]) {
    this.#rel = rel.map((word) => ascii(word.toLowerCase()))
    this.#names = names.map((name) => ascii(name.toLowerCase()))
  }

  clear(): void {
    this.#open.length = 0
  }

  /** A start tag with the name in this range. */
  opened(bytes: Uint8Array, start: number, end: number): void {
    const name = this.#nameOf(bytes, start, end)
    if (name >= 0 && this.#open.length < depthMax) this.#open.push(name)
  }

  closed(bytes: Uint8Array, start: number, end: number): void {
    if (this.#open.length === 0) return
    const at = this.#open.lastIndexOf(this.#nameOf(bytes, start, end))
    if (at >= 0) this.#open.length = at
  }

  /** The flag of a mark whose rel has this range; -1 if it has none. */
  flagOf(kind: number, bytes: Uint8Array, relStart: number, relEnd: number): number {
    if (unfiltered.has(kind)) return 0
    if (this.#names.length > 0 && this.#open.length === 0) return elsewhereFlag
    return relStart >= 0 && this.#hasWord(bytes, relStart, relEnd) ? ignoredRelFlag : 0
  }

  #nameOf(bytes: Uint8Array, start: number, end: number): number {
    const names = this.#names
    for (let i = 0; i < names.length; i++) if (isWord(bytes, start, end, names[i])) return i
    return -1
  }

  #hasWord(bytes: Uint8Array, start: number, end: number): boolean {
    if (this.#rel.length === 0) return false
    let at = start
    while (at < end) {
      while (at < end && (classes[bytes[at]] & whiteSpace) !== 0) at++
      const from = at
      while (at < end && (classes[bytes[at]] & whiteSpace) === 0) at++
      if (at > from && this.#rel.some((word) => isWord(bytes, from, at, word))) return true
    }
    return false
  }
}
