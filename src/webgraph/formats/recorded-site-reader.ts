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
import type { RecordedSite } from '../recorded-site.ts'
import { printable } from './edge-parser.ts'
import type { Fail } from './recorded-fields.ts'
import { RecordedLinksBuilder, RecordedSignalsBuilder } from './recorded-links.ts'
import { RecordedVersions, type ChangeKind } from './recorded-versions.ts'

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
