/**
 * A search query. It consists of *units*: a word, or a phrase of consecutive words that were quoted or
 * written as one (`e-mail`). Scripts without spaces are segmented into words, each a unit of its own.
 *
 * Words are compared by their stems, if available. Each distinct stem of the query has a number, so the words
 * of a page become numbers; most have none.
 */
import { RankwardError } from '../../../lib/errors.ts'
import type { Stemmer } from '../../../web/text/stem.ts'
import { wordsOf } from '../../../web/text/words.ts'

const unitsMax = 50
/** Size of the cache from words to numbers: stemming dominates the cost. */
const rememberedMax = 1 << 17
const unitText = /["“”„«]([^"“”„«»]*)["“”»]|[^\s"“”„«»]+/g

export interface Unit {
  /** As written. */
  readonly text: string
  /** Numbers of its words, in order. */
  readonly words: readonly number[]
}

/** The number of a word that is not in the query. */
const none = -1

export class Query {
  readonly units: readonly Unit[]
  readonly stem: Stemmer | undefined
  readonly #numbers = new Map<string, number>()
  readonly #remembered = new Map<string, number>()
  /** For each number: the units that begin with it, by index. */
  readonly #beginning: number[][]

  constructor(text: string, stem?: Stemmer) {
    this.stem = stem
    const units = new Map<string, Unit>()
    for (const { text: written, words } of writtenUnits(text)) {
      const numbers = words.map((word) => this.#numberFor(word))
      const key = numbers.join(' ')
      if (!units.has(key)) units.set(key, { text: written, words: numbers })
    }
    this.units = [...units.values()]
    this.#beginning = Array.from(this.#numbers, () => [])
    this.units.forEach(({ words }, unit) => this.#beginning[words[0]].push(unit))
  }

  /** The distinct words of the query, or their stems, by number. */
  get words(): readonly string[] {
    return [...this.#numbers.keys()]
  }

  /** The number of a word in lower case. */
  #numberOf(word: string): number {
    if (this.stem === undefined) return this.#numbers.get(word) ?? none
    let number = this.#remembered.get(word)
    if (number !== undefined) return number
    number = this.#numbers.get(this.stem(word)) ?? none
    if (this.#remembered.size === rememberedMax) this.#remembered.clear()
    this.#remembered.set(word, number)
    return number
  }

  /** Calls `found` for each occurrence of a unit in these words, with the index of its first word. */
  find(words: readonly string[], found: (unit: number, at: number) => void): void {
    for (let at = 0; at < words.length; at++) {
      const number = this.#numberOf(words[at])
      if (number === none) continue
      for (const unit of this.#beginning[number]) if (this.#standsAt(unit, words, at)) found(unit, at)
    }
  }

  #standsAt(unit: number, words: readonly string[], at: number): boolean {
    const { words: numbers } = this.units[unit]
    if (at + numbers.length > words.length) return false
    for (let i = 1; i < numbers.length; i++) if (this.#numberOf(words[at + i]) !== numbers[i]) return false
    return true
  }

  #numberFor(word: string): number {
    const stem = this.stem?.(word) ?? word
    let number = this.#numbers.get(stem)
    if (number === undefined) this.#numbers.set(stem, (number = this.#numbers.size))
    return number
  }
}

/** Rejects invalid queries. */
export function checkQuery(text: string): void {
  const count = writtenUnits(text).length
  if (count === 0) {
    throw new RankwardError('USAGE', `"${text}" has no words to search for. Give at least one.`)
  }
  if (count > unitsMax) {
    throw new RankwardError('USAGE', `${count} words are too many for one search: give at most ${unitsMax}.`)
  }
}

function writtenUnits(text: string): { text: string; words: string[] }[] {
  return [...text.matchAll(unitText)].flatMap(([written, quoted]) => {
    const words = wordsOf(written)
    if (words.length === 0) return []
    const isCut =
      quoted === undefined && words.length > 1 && words.join('') === written.normalize('NFKC').toLowerCase()
    return isCut ? words.map((word) => ({ text: word, words: [word] })) : [{ text: written, words }]
  })
}
