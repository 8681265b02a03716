/**
 * Collects links in any order: an array of targets, and a run for each sequence of links with the same
 * source. A file sorted by source, as most are, takes little over 4 bytes per link; one in random order about
 * 20.
 */
import { Bitset } from '../../lib/bitset.ts'
import type { ListTaker } from '../list-sink.ts'

const chunkLinks = 1 << 22

export class EdgeRuns {
  readonly #targets: Uint32Array[] = []
  #chunk = new Uint32Array(0)
  #fill = 0
  #sources = new Uint32Array(1 << 16)
  #starts = new Float64Array(1 << 16)
  #runs = 0
  #lastSource = -1
  idMax = -1

  get links(): number {
    return this.#targets.length === 0 ? 0 : (this.#targets.length - 1) * chunkLinks + this.#fill
  }

  push(source: number, target: number): void {
    if (source !== this.#lastSource) this.#openRun(source)
    if (this.#fill === this.#chunk.length) this.#openChunk()
    this.#chunk[this.#fill++] = target
    if (target > this.idMax) this.idMax = target
  }

  #openRun(source: number): void {
    if (this.#runs === this.#sources.length) {
      const sources = new Uint32Array(this.#runs * 2)
      const starts = new Float64Array(this.#runs * 2)
      sources.set(this.#sources)
      starts.set(this.#starts)
      this.#sources = sources
      this.#starts = starts
    }
    this.#sources[this.#runs] = source
    this.#starts[this.#runs++] = this.links
    this.#lastSource = source
    if (source > this.idMax) this.idMax = source
  }

  #openChunk(): void {
    this.#chunk = new Uint32Array(chunkLinks)
    this.#targets.push(this.#chunk)
    this.#fill = 0
  }

  /** The distinct ids that occur, ascending. */
  distinctIds(): Uint32Array {
    // A bit for each possible id, unless the ids are so sparse that sorting them takes less memory.
    if (this.idMax / 8 > 16 * (this.links + this.#runs) + 1e6) return this.#sortedIds()
    const seen = new Bitset(this.idMax + 1)
    let count = 0
    const add = (id: number): void => {
      if (!seen.has(id)) {
        seen.add(id)
        count++
      }
    }
    this.#eachId(add)
    const ids = new Uint32Array(count)
    let filled = 0
    for (let id = 0; id <= this.idMax; id++) if (seen.has(id)) ids[filled++] = id
    return ids
  }

  #sortedIds(): Uint32Array {
    const all = new Uint32Array(this.links + this.#runs)
    let filled = 0
    this.#eachId((id) => {
      all[filled++] = id
    })
    all.sort()
    let distinct = 0
    for (let i = 0; i < all.length; i++) if (i === 0 || all[i] !== all[i - 1]) all[distinct++] = all[i]
    return all.slice(0, distinct)
  }

  #eachId(take: (id: number) => void): void {
    for (let run = 0; run < this.#runs; run++) take(this.#sources[run])
    this.#targets.forEach((chunk, i) => {
      const length = i === this.#targets.length - 1 ? this.#fill : chunkLinks
      for (let j = 0; j < length; j++) take(chunk[j])
    })
  }

  /**
   * Passes on the link list of every page in turn, each in the order of the file. `pageOf` maps ids to page
   * numbers; undefined if they are the same.
   */
  eachList(pages: number, pageOf: ((id: number) => number) | undefined, take: ListTaker): void {
    // Runs of one source are chained in the order of the file.
    const none = 0xffff_ffff
    const first = new Uint32Array(pages).fill(none)
    const last = new Uint32Array(pages)
    const next = new Uint32Array(this.#runs).fill(none)
    for (let run = 0; run < this.#runs; run++) {
      const page = pageOf === undefined ? this.#sources[run] : pageOf(this.#sources[run])
      if (first[page] === none) first[page] = run
      else next[last[page]] = run
      last[page] = run
    }
    let list = new Uint32Array(1024)
    for (let page = 0; page < pages; page++) {
      let length = 0
      for (let run = first[page]; run !== none; run = next[run]) {
        const from = this.#starts[run]
        const to = run + 1 < this.#runs ? this.#starts[run + 1] : this.links
        if (length + (to - from) > list.length) list = grown(list, length + (to - from))
        length = this.#copy(from, to, list, length)
      }
      if (pageOf !== undefined) for (let i = 0; i < length; i++) list[i] = pageOf(list[i])
      take(list, 0, length)
    }
  }

  #copy(from: number, to: number, into: Uint32Array, at: number): number {
    let position = from
    while (position < to) {
      const chunk = Math.floor(position / chunkLinks)
      const offset = position - chunk * chunkLinks
      const count = Math.min(to - position, chunkLinks - offset)
      const source = this.#targets[chunk]
      for (let i = 0; i < count; i++) into[at++] = source[offset + i]
      position += count
    }
    return at
  }
}

function grown(list: Uint32Array, needed: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(Math.max(list.length * 2, needed))
  larger.set(list)
  return larger
}
