/** Turns the rows of `versions.tsv.gz` into pages that appear, change and disappear. */
import { GrowingFloat64, GrowingUint32 } from '../../lib/growing-array.ts'
import { sharedFloat64, sharedUint32, toShared } from '../../lib/shared-memory.ts'
import { noPage, type RecordedSite } from '../recorded-site.ts'

/** What counts as a change: of the visible text or the set of links, of one of them, or of any byte. */
export const changeKinds = ['content', 'text', 'links', 'bytes'] as const
export type ChangeKind = (typeof changeKinds)[number]

const daySeconds = 86_400
/** Hashes of bytes, text and links, two words each. */
const words = 6
const comparedWords: Readonly<Record<ChangeKind, readonly number[]>> = {
  bytes: [0, 1],
  text: [2, 3],
  links: [4, 5],
  content: [2, 3, 4, 5],
}

const dead = 0
const alive = 1

type Pages = Omit<RecordedSite, 'paths' | 'links' | 'signals'> & { readonly start: number }

export class RecordedVersions {
  readonly #paths: number
  readonly #compared: readonly number[]
  /** Of each path: the version that holds, and the last row, which holds once a later one is read. */
  readonly #held: Uint32Array
  readonly #heldState: Uint8Array
  readonly #row: Uint32Array
  readonly #rowState: Uint8Array
  readonly #rowTime: Float64Array
  /** The current page of each path, or `noPage`. */
  readonly #pageOf: Uint32Array
  readonly #pathOf = new GrowingUint32()
  readonly #nextOfPath = new GrowingUint32()
  readonly #born = new GrowingFloat64()
  readonly #gone = new GrowingFloat64()
  readonly #changePages = new GrowingUint32()
  readonly #changeTimes = new GrowingFloat64()
  #start = -1
  #last = 0

  constructor(paths: number, change: ChangeKind) {
    this.#paths = paths
    this.#compared = comparedWords[change]
    this.#held = new Uint32Array(paths * words)
    this.#heldState = new Uint8Array(paths)
    this.#row = new Uint32Array(paths * words)
    this.#rowState = new Uint8Array(paths)
    this.#rowTime = new Float64Array(paths).fill(-1)
    this.#pageOf = new Uint32Array(paths).fill(noPage)
    for (let path = 0; path < paths; path++) this.#addPage(path)
  }

  #addPage(path: number): number {
    const page = this.#pathOf.length
    for (const array of [this.#pathOf, this.#nextOfPath, this.#born, this.#gone]) array.ensure(page)
    this.#pathOf.array[page] = path
    this.#nextOfPath.array[page] = noPage
    this.#born.array[page] = Infinity
    this.#gone.array[page] = Infinity
    return page
  }

  add([id, timeText, size, ...hashes]: readonly string[], fail: Fail): void {
    const path = pageField(id, this.#paths, fail)
    const time = timeField(timeText, this.#last, fail)
    if (this.#start < 0) this.#start = time
    this.#last = time
    if (this.#rowTime[path] >= 0 && this.#rowTime[path] < time) this.#commit(path)
    this.#rowTime[path] = time
    if (size === '-1') {
      this.#rowState[path] = dead
      return
    }
    const isFirst = this.#rowState[path] === dead
    this.#rowState[path] = alive
    hashes.slice(0, 3).forEach((hash, i) => this.#setHash(path * words + 2 * i, hash, isFirst, fail))
  }

  #setHash(at: number, hash: string, isFirst: boolean, fail: Fail): void {
    if (hash === '=' && !isFirst) return
    if (!/^[0-9a-f]{16}$/.test(hash)) fail(isFirst ? '16 hex digits' : '16 hex digits or "="')
    this.#row[at] = parseInt(hash.slice(0, 8), 16)
    this.#row[at + 1] = parseInt(hash.slice(8), 16)
  }

  /** The last row of a path holds. */
  #commit(path: number): void {
    const day = this.#dayOf(this.#rowTime[path])
    if (this.#rowState[path] === dead) {
      if (this.#heldState[path] === alive) this.#gone.array[this.#pageOf[path]] = day
      this.#heldState[path] = dead
      return
    }
    if (this.#heldState[path] === dead) this.#appear(path, day)
    else if (this.#isChanged(path)) {
      const change = this.#changePages.length
      this.#changePages.ensure(change)
      this.#changeTimes.ensure(change)
      this.#changePages.array[change] = this.#pageOf[path]
      this.#changeTimes.array[change] = day
    }
    this.#heldState[path] = alive
    this.#held.set(this.#row.subarray(path * words, (path + 1) * words), path * words)
  }

  #appear(path: number, day: number): void {
    const before = this.#pageOf[path]
    const page = before === noPage ? path : this.#addPage(path)
    if (before !== noPage) this.#nextOfPath.array[before] = page
    this.#pageOf[path] = page
    this.#born.array[page] = day
  }

  #isChanged(path: number): boolean {
    const at = path * words
    return this.#compared.some((word) => this.#held[at + word] !== this.#row[at + word])
  }

  #dayOf(time: number): number {
    return (time - this.#start) / daySeconds
  }

  /** Calls `isEmpty` if there is no version. */
  end(isEmpty: () => never): Pages {
    if (this.#start < 0) isEmpty()
    for (let path = 0; path < this.#paths; path++) if (this.#rowTime[path] >= 0) this.#commit(path)
    const pages = this.#pathOf.length
    return {
      start: this.#start,
      pages,
      days: this.#dayOf(this.#last),
      pathOf: toShared(this.#pathOf.array.subarray(0, pages)),
      nextOfPath: toShared(this.#nextOfPath.array.subarray(0, pages)),
      born: toShared(this.#born.array.subarray(0, pages)),
      gone: toShared(this.#gone.array.subarray(0, pages)),
      ...this.#changes(pages),
    }
  }

  /** Changes by page. Those of one page are in order of time, except for the last one, which `end` commits. */
  #changes(pages: number): Pick<Pages, 'changeOffsets' | 'changes'> {
    const count = this.#changePages.length
    const changeOffsets = sharedUint32(pages + 1)
    for (let i = 0; i < count; i++) changeOffsets[this.#changePages.array[i] + 1]++
    for (let page = 0; page < pages; page++) changeOffsets[page + 1] += changeOffsets[page]
    const places = changeOffsets.slice()
    const changes = sharedFloat64(count)
    for (let i = 0; i < count; i++) changes[places[this.#changePages.array[i]]++] = this.#changeTimes.array[i]
    return { changeOffsets, changes }
  }
}

/** Fields of the files of recorded changes. */

/** Reports what was expected, and does not return. */
export type Fail = (expected: string) => never

export function pageField(text: string, paths: number, fail: Fail): number {
  const page = /^\d+$/.test(text) ? Number(text) : NaN
  return page < paths ? page : fail(`a page id below ${paths}`)
}

export function timeField(text: string, before: number, fail: Fail): number {
  const time = /^\d+$/.test(text) ? Number(text) : NaN
  if (!Number.isSafeInteger(time)) return fail('a time in unix seconds')
  return time >= before ? time : fail(`a time from ${before} on, because rows are sorted by time`)
}
