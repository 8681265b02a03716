/**
 * Learns which query parameters of a kind of page change its content. Two pages that differ in the value of a
 * single parameter, or in whether they have it, are one observation: their texts are the same, or not. A parameter that made no
 * difference several times, and almost never made one, is irrelevant (a session id, a referrer, the name of the
 * default branch); pages that differ only in such parameters are the same page. It is *sure* after many observations in a row
 * that made no difference.
 *
 * A kind with few observations is judged by its folder: a program that shows files has a kind for each of their directories.
 *
 * The first page of each pair is remembered by the fingerprint of its URL, without the parameter and as it is, up to a
 * limit.
 */
import { fingerprint } from '../../lib/fingerprint.ts'
import { transferSet } from '../../lib/state-views.ts'
import type { StateCodec } from '../../lib/state.ts'
import { foldersOf } from './page-kind.ts'

const pairsMax = 100_000
/** Fewer: every page is one, and the other half of a pair is usually fetched soon. */
const plainMax = 16_384
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
  /** By kind and parameter, and by folder and parameter. */
  readonly #lessons = new Map<string, Lessons>()
  readonly #pairs = new RecentTexts(pairsMax)
  /** Texts of pages that may turn out to be others without a parameter. */
  readonly #plain = new RecentTexts(plainMax)
  /** Fetched pages, by their URLs without one parameter. */
  readonly #fetched = new Set<number>()
  readonly #words = new Uint32Array(2)

  /** Records a fetched page; `text` is a fingerprint of its content. */
  fetched(kind: number, url: string, text: number): void {
    const query = url.indexOf('?')
    if (query < 0) return this.#plain.add(this.#print(url), text)
    const parameters = url.slice(query + 1).split('&')
    if (parameters.length > parametersMax) return undefined
    this.#plain.add(this.#print(withQuery(url, query, parameters.toSorted())), text)
    for (const [i, parameter] of parameters.entries()) {
      const name = nameOf(parameter)
      const pair = this.#pairKey(url, query, parameters, i)
      const before = this.#pairs.of(pair)
      if (before === undefined) this.#pairs.add(pair, text)
      else this.#learn(kind, url, name, before === text)
      const others = parameters.filter((_, j) => j !== i).toSorted()
      const plain = this.#plain.of(this.#print(withQuery(url, query, others)))
      if (plain !== undefined) this.#learn(kind, url, name, plain === text)
    }
    const rest = this.without(kind, url)
    if (rest !== url && this.#fetched.size < pairsMax) this.#fetched.add(this.#print(rest))
    return undefined
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
        this.#lessonsOf(kind, url, nameOf(parameter)) !== undefined &&
        this.#pairs.of(this.#pairKey(url, query, parameters, i)) !== undefined,
    )
  }

  /** True if all irrelevant parameters of the URL surely are. */
  isSure(kind: number, url: string): boolean {
    const query = url.indexOf('?')
    return url
      .slice(query + 1)
      .split('&')
      .every((parameter) => (this.#lessonsOf(kind, url, nameOf(parameter))?.row ?? sureAfter) >= sureAfter)
  }

  /** The URL without irrelevant parameters; unchanged if none is known to be irrelevant. */
  without(kind: number, url: string): string {
    const query = url.indexOf('?')
    if (query < 0) return url
    const parameters = url.slice(query + 1).split('&')
    const kept = parameters.filter((parameter) => !this.#lessonsOf(kind, url, nameOf(parameter)))
    return kept.length === parameters.length ? url : withQuery(url, query, kept)
  }

  /** Of an irrelevant parameter; undefined if it is not known to be one. */
  #lessonsOf(kind: number, url: string, name: string): Lessons | undefined {
    const ofKind = this.#lessons.get(`${kind} ${name}`)
    if (ofKind !== undefined && isEnough(ofKind)) return isIrrelevant(ofKind) ? ofKind : undefined
    const ofFolder = this.#lessons.get(folderKey(url, name) ?? '')
    // What a folder has taught puts pages last, and is never sure.
    return ofFolder !== undefined && isIrrelevant(ofFolder) ? { ...ofFolder, row: 0 } : undefined
  }

  #learn(kind: number, url: string, name: string, isSame: boolean): void {
    for (const key of [`${kind} ${name}`, folderKey(url, name)]) {
      if (key === undefined) continue
      const lessons = this.#lessons.get(key) ?? { same: 0, other: 0, row: 0 }
      if (isSame) lessons.same++
      else lessons.other++
      lessons.row = isSame ? lessons.row + 1 : 0
      this.#lessons.set(key, lessons)
    }
  }

  #pairKey(url: string, query: number, parameters: readonly string[], left: number): number {
    const rest = parameters.filter((_, i) => i !== left).toSorted()
    return this.#print(`${url.slice(0, query)}?${rest.join('&')} ${nameOf(parameters[left])}`)
  }

  /** 53 bits of a fingerprint. */
  #print(text: string): number {
    fingerprint(text, this.#words, 0)
    return (this.#words[1] & 0x1f_ffff) * 2 ** 32 + this.#words[0]
  }

  transfer(state: StateCodec): void {
    state.section('parameter lessons', 4)
    const lessons = state.texts([...this.#lessons.keys()])
    const counts = state.array(
      Float64Array.from([...this.#lessons.values()].flatMap(({ same, other, row }) => [same, other, row])),
    )
    this.#pairs.transfer(state)
    this.#plain.transfer(state)
    transferSet(state, this.#fetched)
    if (!state.isReading) return
    lessons.forEach((key, i) => {
      const [same, other, row] = counts.subarray(3 * i, 3 * i + 3)
      this.#lessons.set(key, { same, other, row })
    })
  }
}

/** Fingerprints of texts, by those of URLs; the oldest are forgotten. */
class RecentTexts {
  readonly #max: number
  readonly #texts = new Map<number, number>()
  /** Goes on from one call to the next: from the start, it would pass the places of all that were forgotten. */
  readonly #oldest = this.#texts.keys()

  constructor(max: number) {
    this.#max = max
  }

  of(url: number): number | undefined {
    return this.#texts.get(url)
  }

  add(url: number, text: number): void {
    if (this.#texts.size >= this.#max) this.#texts.delete(this.#oldest.next().value!)
    this.#texts.set(url, text)
  }

  transfer(state: StateCodec): void {
    const urls = state.array(Float64Array.from(this.#texts.keys()))
    const texts = state.array(Float64Array.from(this.#texts.values()))
    if (state.isReading) urls.forEach((url, i) => this.#texts.set(url, texts[i]))
  }
}

const isEnough = ({ same, other }: Lessons): boolean => same + other >= sameMin

const isIrrelevant = ({ same, other }: Lessons): boolean =>
  same >= sameMin && same >= sameForEachOther * other

/** The parameter in all kinds of the first two directories; undefined for pages above. */
function folderKey(url: string, name: string): string | undefined {
  const folder = foldersOf(url).at(-1)
  return folder === undefined ? undefined : `${folder} ${name}`
}

function withQuery(url: string, query: number, parameters: readonly string[]): string {
  return parameters.length === 0 ? url.slice(0, query) : `${url.slice(0, query + 1)}${parameters.join('&')}`
}

function nameOf(parameter: string): string {
  const equals = parameter.indexOf('=')
  return equals < 0 ? parameter : parameter.slice(0, equals)
}
