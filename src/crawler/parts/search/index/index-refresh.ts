/** Brings the index of a crawl up to date, under a lock, and explains why that is not possible. */
import { RankwardError } from '../../../../lib/errors.ts'
import type { Progress } from '../../../../lib/progress.ts'
import type { WholeCrawl } from '../../../read/whole-crawl.ts'
import { warcNaming } from '../../../record/warc-name.ts'
import { WriterLock } from '../../../record/writer-lock.ts'
import { RecordedPages } from '../recorded-pages.ts'
import { DamagedIndex } from './index-file.ts'
import type { IndexFolder, Manifest, NoIndex, SegmentFile } from './index-folder.ts'
import { IndexUpdate } from './index-update.ts'
import type { BuilderLimits } from './segment-builder.ts'
import type { TermStems } from './term-stems.ts'

interface RefreshOptions {
  readonly progress: Progress
  /** Build it again from the archive. */
  readonly isDamaged: boolean
  /** False: only index new pages, so that the next search has less to do. */
  readonly withTable: boolean
  readonly limits?: BuilderLimits | undefined
}

export async function refreshIndex(
  crawl: WholeCrawl,
  folder: IndexFolder,
  options: RefreshOptions,
): Promise<Manifest | NoIndex> {
  const foreign = folder.foreignFiles()
  if (foreign.length > 0) {
    return unused(`${folder.path} holds files that Rankward did not write (${foreign[0]})`)
  }
  const lock = lockOf(folder)
  if (!(lock instanceof WriterLock)) return lock
  try {
    return await refresh(crawl, folder, options)
  } catch (error) {
    const reason = whyUnwritable(error)
    if (reason === undefined) throw error
    return unused(`the search index cannot be written (${reason})`)
  } finally {
    lock.release()
  }
}

async function refresh(crawl: WholeCrawl, folder: IndexFolder, options: RefreshOptions): Promise<Manifest> {
  const before = options.isDamaged ? undefined : folder.read()
  const manifest: Manifest = before ?? { segments: [], files: [] }
  if (before === undefined) folder.write(manifest)
  const log = crawl.logEnd
  const { options: settings } = crawl.folder.file
  const read = await crawl.read()
  try {
    const { table } = manifest
    if (table?.group === read.record.groups && table.damping === settings.damping) {
      const same = { ...manifest, table: { ...table, log } }
      folder.write(same)
      return same
    }
    const pages = new RecordedPages(read, warcNaming(settings), manifest.files)
    const update = new IndexUpdate(crawl, folder, pages, manifest)
    try {
      await update.addPages(options.progress, options.limits)
      if (options.withTable) await update.writeTable({ group: read.record.groups, log })
      return update.manifest
    } finally {
      update.close()
    }
  } finally {
    read.close()
  }
}

/** Adds stems to the index, by name of the segment. They are only kept if that is possible now. */
export async function keepStems(
  folder: IndexFolder,
  language: string,
  made: ReadonlyMap<string, TermStems>,
): Promise<void> {
  const lock = lockOf(folder)
  if (!(lock instanceof WriterLock)) return
  try {
    const manifest = folder.read()
    if (manifest === undefined) return
    const segments: SegmentFile[] = []
    for (const segment of manifest.segments) {
      const { name, path } = folder.newFile(`${language}.stems`)
      const end = await made.get(segment.name)?.write(path)
      const stems = end && { ...segment.stems, [language]: { name, ...end } }
      segments.push(stems === undefined ? segment : { ...segment, stems })
    }
    folder.write({ ...manifest, segments })
  } catch (error) {
    if (whyUnwritable(error) === undefined && !(error instanceof DamagedIndex)) throw error
  } finally {
    lock.release()
  }
}

function lockOf(folder: IndexFolder): WriterLock | NoIndex {
  try {
    folder.create()
    return WriterLock.take(folder.path)
  } catch (error) {
    if (error instanceof RankwardError && error.code === 'CRAWL_RUNNING')
      return unused('another process is writing the search index')
    const reason = whyUnwritable(error)
    if (reason === undefined) throw error
    return unused(`the search index cannot be written (${reason})`)
  }
}

const unwritableCodes = new Set([
  'EACCES',
  'EPERM',
  'EROFS',
  'ENOSPC',
  'EDQUOT',
  'ENOTDIR',
  'EMFILE',
  'EFBIG',
])

/** The reason, if this error says that a file cannot be written. */
function whyUnwritable(error: unknown): string | undefined {
  if (error instanceof RankwardError) {
    if (error.code !== 'FILE_UNWRITABLE') return undefined
    return whyUnwritable(error.cause) ?? error.message.replace(/\.$/, '')
  }
  const { code, message } = error as NodeJS.ErrnoException
  if (code === undefined || !unwritableCodes.has(code)) return undefined
  if (code === 'EROFS') return 'the file system is read-only'
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'the disk is full'
  return code === 'EACCES' || code === 'EPERM' ? 'permission denied' : message
}

function unused(reason: string): NoIndex {
  return { notice: `${reason[0].toUpperCase()}${reason.slice(1)}, so every page was read.` }
}
