/**
 * Reads a folder of recorded changes: `pages.tsv.gz`, `versions.tsv.gz`, and where they exist `links.tsv.gz` and
 * `signals.tsv.gz`, one row per line, fields separated by tabs. Rows are sorted by time; of several rows of a page in one
 * second the last one holds.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { openBytes } from '../../lib/files/byte-source.ts'
import { readLines } from '../../lib/files/lines.ts'
import { RankwardError } from '../../lib/errors.ts'
import { silent, type Progress } from '../../lib/progress.ts'
import type { RecordedSite, RecordedLinks, RecordedSignals } from '../recorded-site.ts'
import { printable } from './edge-parser.ts'
import { type Fail, type ChangeKind, RecordedVersions, pageField, timeField } from './recorded-versions.ts'
import { GrowingFloat64, GrowingUint32 } from '../../lib/growing-array.ts'
import { sharedUint32, sharedUint8, toShared } from '../../lib/shared-memory.ts'

export interface ReadChangesOptions {
  /** What counts as a change. Default: `content`. */
  readonly change?: ChangeKind | undefined
  readonly progress?: Progress | undefined
}

const pagesFile = 'pages.tsv.gz'
const versionsFile = 'versions.tsv.gz'

/** True if the folder has recorded changes. */
export function hasRecordedChanges(folder: string): boolean {
  return existsSync(join(folder, versionsFile)) || existsSync(join(folder, 'versions.tsv'))
}

export async function readRecordedSite(
  folder: string,
  { change = 'content', progress = silent }: ReadChangesOptions = {},
): Promise<RecordedSite> {
  const paths = await countPages(folder)
  const versions = new RecordedVersions(paths, change)
  await readRows(folder, versionsFile, 6, progress, (fields, fail) => versions.add(fields, fail))
  const { start, ...pages } = versions.end(() => {
    throw new RankwardError('BAD_CHANGES', `${join(folder, versionsFile)} has no version of any page.`)
  })
  const links = new RecordedLinksBuilder(paths, start)
  const hasLinks = await readRows(folder, 'links.tsv.gz', 3, progress, (fields, fail) =>
    links.add(fields, fail),
  )
  const signals = new RecordedSignalsBuilder(paths, start)
  await readRows(folder, 'signals.tsv.gz', 5, silent, (fields, fail) => signals.add(fields, fail))
  return { paths, ...pages, links: hasLinks ? links.end() : undefined, signals: signals.end() }
}

async function countPages(folder: string): Promise<number> {
  let pages = 0
  await readRows(folder, pagesFile, 4, silent, ([id], fail) => {
    if (id !== String(pages)) fail(`page id ${pages}`)
    pages++
  })
  return pages
}

/** Calls `take` for each row. Returns false if an optional file does not exist. */
async function readRows(
  folder: string,
  name: string,
  fieldCount: number,
  progress: Progress,
  take: (fields: readonly string[], fail: Fail) => void,
): Promise<boolean> {
  const packed = join(folder, name)
  const plain = packed.slice(0, -'.gz'.length)
  const path = !existsSync(packed) && existsSync(plain) ? plain : packed
  if (!existsSync(path) && name !== pagesFile && name !== versionsFile) return false
  let number = 0
  for await (const bytes of readLines(await openBytes(path), progress)) {
    number++
    const fail: Fail = (expected) => {
      const read = printable(bytes.subarray(0, 60))
      throw new RankwardError('BAD_CHANGES', `${path}:${number}: expected ${expected} (read "${read}").`)
    }
    const fields = Buffer.from(bytes).toString('utf8').split('\t')
    if (fields.length < fieldCount) fail(`${fieldCount} fields separated by tabs`)
    take(fields, fail)
  }
  return true
}

/** Turns the rows of `links.tsv.gz` into link lists over time, and those of `signals.tsv.gz` into signals. */

const daySeconds = 86_400
const none = 0xffff_ffff

class RecordedLinksBuilder {
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

class RecordedSignalsBuilder {
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
