/** The archived pages of a data set: of a crawl, with what its record knows of them, or of WARC files. */
import { basename } from 'node:path'
import { statSync } from 'node:fs'
import { certainMass, trustOf } from '../../engine/mass/mass-walk.ts'
import { RankwardError } from '../../lib/errors.ts'
import { decodeBody } from '../../web/http/content-coding.ts'
import { readWarc, readWarcAt } from '../../web/warc/reader.ts'
import type { WarcRecord } from '../../web/warc/warc-record.ts'
import { pageRank } from '../../webgraph/pagerank/pagerank.ts'
import { isArchived, partValues } from '../parts/all-parts.ts'
import { ArchivedFiles } from '../read/archived-file.ts'
import { graphOfCrawl } from '../read/export/crawl-web.ts'
import { crawlSource } from '../read/export/export-source.ts'
import { pageBatches, pageColumns } from '../read/export/page-rows.ts'
import type { Column, Value } from '../read/export/table.ts'
import { CrawlFolder } from '../record/crawl-folder.ts'
import { warcNaming } from '../record/warc-name.ts'

/** Columns of the record that documents of a crawl have too. Documents of WARC files do not have them. */
const carriedNames = ['depth', 'score', 'relevance', 'rank_mass', 'page_rank'] as const

export const carriedColumns: readonly Column[] = pageColumns
  .filter(({ name }) => (carriedNames as readonly string[]).includes(name))
  .map(({ name, type }) => ({ name, type }))

export interface ArchivedPage {
  readonly url: string
  readonly status: number
  readonly fetchedMs: number | undefined
  readonly warcFile: string
  readonly warcOffset: number
  readonly id: string
  readonly digest: string | undefined
  readonly contentType: string | undefined
  readonly body: Uint8Array
  readonly isCoded: boolean
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** What its owner says about its use, as the crawl recorded it; undefined in WARC files. */
  readonly recorded: readonly string[] | undefined
  /** Values of `carriedColumns`. */
  readonly carried: readonly Value[]
}

export interface PageSource {
  /** All responses of the archive. Can be read several times. */
  pages(): Iterable<ArchivedPage>
  close(): void
}

const bodyBytesMax = 64 << 20

/** A crawl's folder, or WARC files. */
export async function sourceOf(inputs: readonly string[]): Promise<PageSource> {
  const [first, ...others] = inputs
  if (first === undefined) throw new RankwardError('USAGE', 'Give the folder of a crawl, or WARC files.')
  if (statSync(first, { throwIfNoEntry: false })?.isDirectory() !== true) return filesSource(inputs)
  if (others.length > 0)
    throw new RankwardError('USAGE', `${first} is a folder: give one folder of a crawl, or WARC files.`)
  return crawlPages(first)
}

function filesSource(paths: readonly string[]): PageSource {
  return {
    *pages() {
      for (const path of paths) {
        for (const record of readWarc(path)) {
          if (record.type === 'response') yield pageOf(record, basename(path), { carried: noValues })
        }
      }
    },
    close() {},
  }
}

const noValues: readonly Value[] = carriedColumns.map(() => undefined)

async function crawlPages(path: string): Promise<PageSource> {
  const folder = CrawlFolder.open(path)
  const { options } = folder.file
  if (!isArchived(options))
    throw new RankwardError(
      'NO_ARCHIVE',
      `The crawl in ${path} has no archived pages (warc is off). Crawl again with WARC files.`,
    )
  const record = await folder.readRecord()
  const source = await crawlSource(folder, record)
  const { crawl, parts } = source
  const { damping, weights } = trustOf(folder)
  const scores = {
    rankMass: certainMass(crawl.pages, crawl.links, { damping, weights }),
    pageRank: (await pageRank(graphOfCrawl(crawl).graph, { damping })).scores,
    spam: new Float64Array(crawl.count),
  }
  const indexOf = (name: string): number => pageColumns.findIndex((column) => column.name === name)
  const [fileAt, offsetAt] = [indexOf('warc_file'), indexOf('warc_offset')]
  const carriedAt = carriedColumns.map(({ name }) => indexOf(name))
  const statedAt = indexOf('preferences')
  const valuesOf = await partValues({ record, settings: options })
  const files = new ArchivedFiles(folder)
  return {
    *pages() {
      const rows = {
        crawl,
        ...scores,
        part: parts[0],
        naming: warcNaming(options),
        batchRows: 10_000,
        valuesOf,
      }
      for (const batch of pageBatches(rows)) {
        for (let row = 0; row < batch[0].length; row++) {
          const file = batch[fileAt][row] as string | undefined
          if (file === undefined) continue
          const [found] = readWarcAt(files.pathOf(file), [batch[offsetAt][row] as number])
          yield pageOf(found, file, {
            carried: carriedAt.map((at) => batch[at][row]),
            recorded:
              statedAt < 0 ? undefined : ((batch[statedAt][row] as readonly string[] | undefined) ?? []),
          })
        }
      }
    },
    close: () => record.close(),
  }
}

function pageOf(
  record: WarcRecord,
  warcFile: string,
  {
    carried,
    recorded,
  }: { readonly carried: readonly Value[]; readonly recorded?: readonly string[] | undefined },
): ArchivedPage {
  const { headers = [], startLine = '' } = record.http() ?? {}
  const valueOf = (name: string): string | undefined =>
    headers.find(([other]) => other.toLowerCase() === name)?.[1]
  // Other programs archive bodies with their chunks.
  const { bytes, isCoded } = decodeBody(
    record.type === 'response' ? record.payload() : new Uint8Array(0),
    valueOf('content-encoding'),
    bodyBytesMax,
  )
  const date = Date.parse(record.field('WARC-Date') ?? '')
  return {
    url: record.targetUri ?? '',
    status: record.type === 'response' ? Number(/^HTTP\/\S+ (\d{3})/.exec(startLine)?.[1] ?? 0) : 304,
    fetchedMs: Number.isNaN(date) ? undefined : date,
    warcFile,
    warcOffset: record.offset,
    id: record.id,
    digest: record.field('WARC-Payload-Digest'),
    contentType: valueOf('content-type'),
    body: bytes,
    isCoded,
    headers,
    recorded,
    carried,
  }
}
