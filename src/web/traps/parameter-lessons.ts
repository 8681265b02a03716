/**
 * Learns which query parameters of a kind of page change its content. Two pages of a kind that differ in a
 * single parameter are one observation: their texts are the same, or not. A parameter that made no difference
 * several times, and almost never made one, is irrelevant (a session id, a referrer, the sort order of a
 * list); pages that differ only in such parameters are the same page. It is *sure* after many observations in a row
 * that made no difference.
 *
 * The first page of each pair is remembered by the fingerprint of its URL without the parameter, up to a
 * limit.
 */
import { fingerprint } from '../../lib/fingerprint.ts'
import type { StateCodec } from '../../lib/state.ts'

const pairsMax = 100_000
/** Minimum number of observations, and the required ratio of the majority to the minority. */
const sameMin = 3
const sameForEachOther = 8
/** Number of observations in a row without a difference after which a parameter is surely irrelevant. */
const sureAfter = 32
/** Queries with more parameters are ignored: they teach too little for their cost. */
const parametersMax = 8

interface Lessons {
  same: number
  other: number
  /** Observations without a difference since the last one with a difference. */
  row: number
}

export class ParameterLessons {
  /** By kind and parameter. */
  readonly #lessons = new Map<string, Lessons>()
  readonly #pairs = new Map<string, number>()
  /** Fetched pages, by their URLs without one parameter. */
  readonly #fetched = new Set<string>()
  readonly #words = new Uint32Array(2)

  /** Records a fetched page; `text` is a fingerprint of its content. */
  fetched(kind: number, url: string, text: number): void {
    const query = url.indexOf('?')
    if (query < 0) return
    const parameters = url.slice(query + 1).split('&')
    if (parameters.length > parametersMax) return
    for (const [i, parameter] of parameters.entries()) {
      const name = nameOf(parameter)
      const pair = this.#pairKey(url, query, parameters, i)
      const before = this.#pairs.get(pair)
      if (before === undefined) this.#remember(pair, text)
      else this.#learn(`${kind} ${name}`, before === text)
    }
    const rest = this.without(kind, url)
    if (rest !== url && this.#fetched.size < pairsMax) this.#fetched.add(this.#print(rest))
  }

  /** True if a page that differs only in irrelevant parameters has been fetched. */
  isCopy(kind: number, url: string): boolean {
    const rest = this.without(kind, url)
    if (rest === url) return false
    if (this.#fetched.has(this.#print(rest))) return true
    // Pages fetched before the parameter was learnt are remembered as one half of a pair.
    const query = url.indexOf('?')
    const parameters = url.slice(query + 1).split('&')
    return parameters.some(
      (parameter, i) =>
        this.#tellsNothing(`${kind} ${nameOf(parameter)}`) &&
        this.#pairs.has(this.#pairKey(url, query, parameters, i)),
    )
  }

  /** True if all irrelevant parameters of the URL surely are. */
  isSure(kind: number, url: string): boolean {
    const query = url.indexOf('?')
    return url
      .slice(query + 1)
      .split('&')
      .map((parameter) => `${kind} ${nameOf(parameter)}`)
      .every((key) => !this.#tellsNothing(key) || this.#lessons.get(key)!.row >= sureAfter)
  }

  /** The URL without irrelevant parameters; unchanged if none is known to be irrelevant. */
  without(kind: number, url: string): string {
    const query = url.indexOf('?')
    if (query < 0) return url
    const parameters = url.slice(query + 1).split('&')
    const kept = parameters.filter((parameter) => !this.#tellsNothing(`${kind} ${nameOf(parameter)}`))
    if (kept.length === parameters.length) return url
    return kept.length === 0 ? url.slice(0, query) : `${url.slice(0, query + 1)}${kept.join('&')}`
  }

  #tellsNothing(key: string): boolean {
    const lessons = this.#lessons.get(key)
    return (
      lessons !== undefined && lessons.same >= sameMin && lessons.same >= sameForEachOther * lessons.other
    )
  }

  #learn(key: string, isSame: boolean): void {
    const lessons = this.#lessons.get(key) ?? { same: 0, other: 0, row: 0 }
    if (isSame) lessons.same++
    else lessons.other++
    lessons.row = isSame ? lessons.row + 1 : 0
    this.#lessons.set(key, lessons)
  }

  #pairKey(url: string, query: number, parameters: readonly string[], left: number): string {
    const rest = parameters.filter((_, i) => i !== left).toSorted()
    return this.#print(`${url.slice(0, query)}?${rest.join('&')} ${nameOf(parameters[left])}`)
  }

  #print(text: string): string {
    fingerprint(text, this.#words, 0)
    return `${this.#words[0]} ${this.#words[1]}`
  }

  #remember(pair: string, text: number): void {
    if (this.#pairs.size >= pairsMax) {
      const [oldest] = this.#pairs.keys()
      this.#pairs.delete(oldest)
    }
    this.#pairs.set(pair, text)
  }

  transfer(state: StateCodec): void {
    state.section('parameter lessons', 2)
    const lessons = state.texts([...this.#lessons.keys()])
    const counts = state.array(
      Float64Array.from([...this.#lessons.values()].flatMap(({ same, other, row }) => [same, other, row])),
    )
    const pairs = state.texts([...this.#pairs.keys()])
    const texts = state.array(Float64Array.from(this.#pairs.values()))
    const fetched = state.texts([...this.#fetched])
    if (!state.isReading) return
    lessons.forEach((key, i) => {
      const [same, other, row] = counts.subarray(3 * i, 3 * i + 3)
      this.#lessons.set(key, { same, other, row })
    })
    pairs.forEach((pair, i) => this.#pairs.set(pair, texts[i]))
    for (const rest of fetched) this.#fetched.add(rest)
  }
}

function nameOf(parameter: string): string {
  const equals = parameter.indexOf('=')
  return equals < 0 ? parameter : parameter.slice(0, equals)
}
