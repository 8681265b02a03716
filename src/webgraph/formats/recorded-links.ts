/** Turns the rows of `links.tsv.gz` into link lists over time, and those of `signals.tsv.gz` into signals. */
import { GrowingFloat64, GrowingUint32 } from '../../lib/growing-array.ts'
import { sharedUint32, sharedUint8, toShared } from '../../lib/shared-memory.ts'
import type { RecordedLinks, RecordedSignals } from '../recorded-site.ts'
import { pageField, timeField, type Fail } from './recorded-fields.ts'

const daySeconds = 86_400
const none = 0xffff_ffff

export class RecordedLinksBuilder {
  readonly #paths: number
  readonly #start: number
  readonly #listPaths = new GrowingUint32()
  readonly #times = new GrowingFloat64()
  readonly #ends = new GrowingUint32()
  readonly #targets = new GrowingUint32()
  /** The last list of each path, or `none`. */
  readonly #lastList: Uint32Array
  #last = 0

  /** `start`: the unix seconds of day 0. */
  constructor(paths: number, start: number) {
    this.#paths = paths
    this.#start = start
    this.#lastList = new Uint32Array(paths).fill(none)
  }

  add([timeText, id, text]: readonly string[], fail: Fail): void {
    const time = timeField(timeText, this.#last, fail)
    this.#last = time
    const path = pageField(id, this.#paths, fail)
    const targets = text.startsWith('=') ? this.#whole(text, fail) : this.#changed(path, text, fail)
    const list = this.#ends.length
    for (const array of [this.#listPaths, this.#times, this.#ends]) array.ensure(list)
    const from = list === 0 ? 0 : this.#ends.array[list - 1]
    if (targets.length > 0) this.#targets.ensure(from + targets.length - 1)
    this.#targets.array.set(targets, from)
    this.#listPaths.array[list] = path
    this.#times.array[list] = (time - this.#start) / daySeconds
    this.#ends.array[list] = from + targets.length
    this.#lastList[path] = list
  }

  #whole(text: string, fail: Fail): Uint32Array {
    const ids = text.slice(1).split(' ')
    const targets = ids.filter((id) => id !== '').map((id) => pageField(id, this.#paths, fail))
    return Uint32Array.from(new Set(targets)).sort()
  }

  /** The list before, with these paths added or removed. */
  #changed(path: number, text: string, fail: Fail): Uint32Array {
    const list = this.#lastList[path]
    if (list === none) fail('a full list, "=…", for a page without one')
    const from = list === 0 ? 0 : this.#ends.array[list - 1]
    const targets = new Set(this.#targets.array.subarray(from, this.#ends.array[list]))
    for (const change of text.split(' ')) {
      const target = pageField(change.slice(1), this.#paths, fail)
      if (change.startsWith('+')) targets.add(target)
      else if (change.startsWith('-')) targets.delete(target)
      else fail('changes such as "+7 -5"')
    }
    return Uint32Array.from(targets).sort()
  }

  end(): RecordedLinks {
    const count = this.#ends.length
    const listOffsets = sharedUint32(this.#paths + 1)
    for (let list = 0; list < count; list++) listOffsets[this.#listPaths.array[list] + 1]++
    for (let path = 0; path < this.#paths; path++) listOffsets[path + 1] += listOffsets[path]
    const places = listOffsets.slice()
    const lists = sharedUint32(count)
    for (let list = 0; list < count; list++) lists[places[this.#listPaths.array[list]]++] = list
    const targets = toShared(this.#targets.array.subarray(0, this.#targets.length))
    const isLinked = sharedUint8(this.#paths)
    for (const target of targets) isLinked[target] = 1
    const times = toShared(this.#times.array.subarray(0, count))
    return {
      listOffsets,
      lists,
      times,
      ends: toShared(this.#ends.array.subarray(0, count)),
      targets,
      isLinked,
    }
  }
}

export class RecordedSignalsBuilder {
  readonly #paths: number
  readonly #start: number
  readonly #times: number[] = []
  readonly #signalled: number[] = []
  #last = 0

  constructor(paths: number, start: number) {
    this.#paths = paths
    this.#start = start
  }

  /** Rows of URLs that are no pages of the site are ignored, as are those of URLs that leave a list. */
  add([timeText, , change, id]: readonly string[], fail: Fail): void {
    const time = timeField(timeText, this.#last, fail)
    this.#last = time
    if (change !== '+' || !/^\d+$/.test(id)) return
    this.#times.push((time - this.#start) / daySeconds)
    this.#signalled.push(pageField(id, this.#paths, fail))
  }

  end(): RecordedSignals {
    return {
      times: toShared(Float64Array.from(this.#times)),
      paths: toShared(Uint32Array.from(this.#signalled)),
    }
  }
}
