/** Checks the files of the search index by their checksums. It follows from record and archive, and is built again from there. */
import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { crc32 } from 'node:zlib'
import { plural } from '../../../lib/amounts.ts'
import { RankwardError } from '../../../lib/errors.ts'
import type { Progress } from '../../../lib/progress.ts'
import { reasonOf, type PartFindings } from '../../read/verify/findings.ts'
import { WholeCrawl } from '../../read/whole-crawl.ts'
import type { CrawlFolder } from '../../record/crawl-folder.ts'
import type { DerivedCheck } from '../shown.ts'
import { DamagedIndex, type FileEnd } from './index/index-file.ts'
import { indexFolderOf, type IndexFolder, type Manifest } from './index/index-folder.ts'
import { refreshIndex } from './index/index-refresh.ts'

/** Another process may replace the files while they are read. */
const attemptsMax = 3

export function checkSearchIndex(
  findings: PartFindings,
  crawl: CrawlFolder,
  { groups, canRebuild, progress }: DerivedCheck,
): void {
  const whole = WholeCrawl.of(crawl)
  const folder = indexFolderOf(whole)
  if (!existsSync(folder.path)) return
  const what = damageIn(folder, groups, findings, progress)
  if (what === undefined) return
  const name = relative(crawl.path, join(folder.path, 'index.json'))
  const isOwn = folder.foreignFiles().length === 0
  findings.damaged(name, what, canRebuild && isOwn ? () => rebuild(whole, folder, progress) : undefined)
}

function damageIn(
  folder: IndexFolder,
  groups: number,
  findings: PartFindings,
  progress: Progress,
): string | undefined {
  for (let attempt = 1; ; attempt++) {
    try {
      const manifest = folder.read()
      if (manifest !== undefined) {
        checkFiles(folder, manifest, findings, progress)
        const table = manifest.table
        if (table !== undefined && table.group > groups)
          return `It reaches to group ${table.group}, and the record has ${plural(groups, 'group')}.`
        return undefined
      }
      if (folder.hasManifest) {
        findings.notes.push('The search index was built by another version; the next search builds it again.')
        return undefined
      }
      return folder.hasFiles ? 'index.json is missing.' : undefined
    } catch (error) {
      if (!(error instanceof DamagedIndex)) throw error
      if (attempt === attemptsMax) return `${reasonOf(error)}.`
    }
  }
}

function checkFiles(
  folder: IndexFolder,
  manifest: Manifest,
  findings: PartFindings,
  progress: Progress,
): void {
  const { segments, table } = manifest
  const files = [
    ...segments,
    ...segments.flatMap(({ stems }) => Object.values(stems)),
    ...(table ? [table] : []),
  ]
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0)
  let done = 0
  for (const file of files) {
    checkFile(folder.pathOf(file), file)
    done += file.bytes
    progress(done, total, file.name)
  }
  findings.files = files.length + 1
  findings.bytes = total
  findings.checked = plural(
    segments.reduce((sum, { documents }) => sum + documents, 0),
    'document',
  )
}

const pieceBytes = 1 << 20

function checkFile(path: string, { bytes, sum }: FileEnd): void {
  const size = statSync(path, { throwIfNoEntry: false })?.size
  if (size === undefined) throw new DamagedIndex(`${path} is missing`)
  if (size !== bytes) throw new DamagedIndex(`${path} has ${size} bytes; index.json says ${bytes}`)
  const file = openSync(path, 'r')
  try {
    const piece = Buffer.allocUnsafe(pieceBytes)
    let found = 0
    for (let read = readSync(file, piece); read > 0; read = readSync(file, piece))
      found = crc32(piece.subarray(0, read), found)
    if (found !== sum) throw new DamagedIndex(`${path} does not match its checksum`)
  } finally {
    closeSync(file)
  }
}

async function rebuild(crawl: WholeCrawl, folder: IndexFolder, progress: Progress): Promise<void> {
  const made = await refreshIndex(crawl, folder, { progress, isDamaged: true, withTable: true })
  if ('notice' in made)
    throw new RankwardError('FILE_UNWRITABLE', made.notice ?? 'There is nothing to index.')
}
