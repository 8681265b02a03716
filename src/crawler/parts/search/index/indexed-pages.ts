/**
 * A search with the index of a crawl. If nothing was recorded since the index was written, only the index is
 * read; otherwise it is brought up to date first.
 */
import type { Progress } from '../../../../lib/progress.ts'
import type { Stemmer } from '../../../../web/text/stem.ts'
import type { WholeCrawl } from '../../../read/whole-crawl.ts'
import type { SearchedPages } from '../page-table.ts'
import type { Query } from '../query.ts'
import type { UnitCounts } from '../ranking.ts'
import { DamagedIndex } from './index-file.ts'
import { indexFolderOf } from './index-folder.ts'
import type { IndexFolder, Manifest, NoIndex } from './index-folder.ts'
import { SegmentReader } from './segment.ts'
import { StoredTable } from './stored-table.ts'
import { TermStems } from './term-stems.ts'
import { countUnits } from './unit-counts.ts'

/** Another process may replace the files of the index while they are opened. */
const attemptsMax = 4

interface FoundByIndex<Found> {
  readonly found: Found
  readonly notice: string | undefined
}

export async function withIndex<Found>(
  crawl: WholeCrawl,
  progress: Progress,
  use: (pages: SearchedPages) => Promise<Found>,
): Promise<FoundByIndex<Found> | NoIndex> {
  const folder = indexFolderOf(crawl)
  let isDamaged = false
  for (let attempt = 1; ; attempt++) {
    try {
      const current = isDamaged ? undefined : currentManifest(crawl, folder)
      const manifest = current ?? (await refreshed(crawl, folder, progress, isDamaged))
      if (!('segments' in manifest)) return manifest
      const pages = new IndexedPages(folder, manifest)
      try {
        // A crawl without archived pages: the search without an index says why.
        if (pages.table.count === 0) return { notice: undefined }
        const notice = isDamaged ? 'The search index was damaged and has been rebuilt.' : undefined
        return { found: await use(pages), notice }
      } finally {
        pages.close()
      }
    } catch (error) {
      if (!(error instanceof DamagedIndex || error instanceof RangeError)) throw error
      if (attempt === attemptsMax)
        return { notice: `The search index could not be used (${error.message}), so every page was read.` }
      // Files that another process removed are no damage: its index.json names others.
      isDamaged = attempt > 1
    }
  }
}

/** Undefined if something was recorded since it was written. Throws `DamagedIndex`. */
function currentManifest(crawl: WholeCrawl, folder: IndexFolder): Manifest | undefined {
  const manifest = folder.read()
  const table = manifest?.table
  if (table === undefined || table.damping !== crawl.folder.file.options.damping) return undefined
  const { segment, bytes } = crawl.logEnd
  return table.log.segment === segment && table.log.bytes === bytes ? manifest : undefined
}

async function refreshed(
  crawl: WholeCrawl,
  folder: IndexFolder,
  progress: Progress,
  isDamaged: boolean,
): Promise<Manifest | NoIndex> {
  const { refreshIndex } = await import('./index-refresh.ts')
  return refreshIndex(crawl, folder, { progress, isDamaged, withTable: true })
}

/** Everything throws `DamagedIndex`. */
class IndexedPages implements SearchedPages {
  readonly table: StoredTable
  readonly #folder: IndexFolder
  readonly #manifest: Manifest
  readonly #segments: SegmentReader[] = []

  constructor(folder: IndexFolder, manifest: Manifest) {
    const { table, segments, files } = manifest
    this.#folder = folder
    this.#manifest = manifest
    this.table = new StoredTable(folder.pathOf(table!), table!, files)
    try {
      for (const file of segments) this.#segments.push(new SegmentReader(folder.pathOf(file), file))
    } catch (error) {
      this.close()
      throw error
    }
  }

  async count(query: Query, language: string | undefined, rows: Uint32Array): Promise<UnitCounts[]> {
    const stems = language === undefined ? undefined : await this.#stems(language, query.stem!)
    return countUnits(query, this.#segments, stems, this.table.columns, rows)
  }

  close(): void {
    this.table.close()
    for (const segment of this.#segments) segment.close()
  }

  /** Stems by segment; those of a language that is used for the first time are kept. */
  async #stems(language: string, stem: Stemmer): Promise<TermStems[]> {
    const made = new Map<string, TermStems>()
    const stems: TermStems[] = []
    for (const [i, { name, stems: files }] of this.#manifest.segments.entries()) {
      const file = files[language]
      const ofSegment =
        file === undefined
          ? await TermStems.build(this.#segments[i], stem)
          : TermStems.read(this.#folder.pathOf(file), file.bytes)
      if (file === undefined) made.set(name, ofSegment)
      stems.push(ofSegment)
    }
    if (made.size > 0) {
      const { keepStems } = await import('./index-refresh.ts')
      await keepStems(this.#folder, language, made)
    }
    return stems
  }
}
