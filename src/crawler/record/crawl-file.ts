/**
 * The file crawl.json: the options of a crawl, and what it has had when its last session ended. Its two parts have
 * checksums. The totals are a part of their own: a crawl without them is one that was killed, and can be read and
 * continued, so damaged totals may be dropped (`verify --repair`). Nothing else has the options.
 */
import { crc32 } from 'node:zlib'
import { RankwardError } from '../../lib/errors.ts'
import type { FileRecord } from '../../lib/files/file-record.ts'
import type { CrawlTotals } from '../options/crawl-options.ts'
import type { CrawlSettings } from '../options/crawl-settings.ts'
import { version } from '../options/version.ts'

/** Of the whole folder. A version of Rankward whose folders older ones cannot read has a larger number. */
export const format = 2

export interface CrawlFile {
  readonly rankward: string
  readonly format: number
  /** A UUID; each WARC file contains it, too. */
  readonly id: string
  readonly startedAt: string
  readonly endedAt?: string | undefined
  /** A later crawl may replace this one in its folder. */
  readonly replaceable?: true | undefined
  /** The score files of the crawl, with their digests. */
  readonly files: FileRecord
  readonly options: CrawlSettings
  /** In the folder of a shard: which one it is. */
  readonly shard?: ShardFile | undefined
  /** Of the last session; absent during the first. */
  readonly totals?: CrawlTotals | undefined
  /** Number of groups that the record had when a session last began or ended. It has at least as many since. */
  readonly groups?: number | undefined
}

/** The place of a shard in its crawl. */
export interface ShardFile {
  readonly number: number
  readonly shards: number
  /** The trust in the first pages: the shard's own seeds, then one page for each other shard with seeds. */
  readonly weights: readonly number[]
}

/** CRC-32 of each part as JSON without white space, in hexadecimal. */
interface Checksums {
  readonly crawl: string
  readonly totals: string
}

export type CrawlFilePart = keyof Checksums

/** True for every crawl.json of ours, complete or not. */
export function beginsAsCrawlFile(text: string): boolean {
  return /^\{\s*"rankward":/.test(text)
}

/** The text of the file. */
export function crawlFileText(file: CrawlFile): string {
  return `${JSON.stringify({ ...file, checksums: checksumsOf(file) }, undefined, 2)}\n`
}

/** Throws `NO_CRAWL` if the text is damaged, or of another version. */
export function parsedCrawlFile(path: string, text: string): CrawlFile {
  const { file, damage } = readCrawlFile(path, text)
  if (damage === undefined) return file
  const remedy =
    damage === 'totals'
      ? `\`rankward verify ${path} --repair\` removes them; the next session writes them again.`
      : 'Restore it from a copy.'
  throw new RankwardError(
    'NO_CRAWL',
    `crawl.json in ${path} is damaged or was edited: its ${damage === 'totals' ? 'totals do' : 'content does'} not match the checksum. ${remedy}`,
  )
}

/** The file, and the part that does not match its checksum. Throws `NO_CRAWL` if it cannot be read at all. */
export function readCrawlFile(
  path: string,
  text: string,
): { readonly file: CrawlFile; readonly damage: CrawlFilePart | undefined } {
  let read
  try {
    read = JSON.parse(text) as Partial<CrawlFile & { checksums: Checksums }> | null
  } catch (error) {
    throw new RankwardError('NO_CRAWL', `crawl.json in ${path} is damaged: it is not JSON.`, { cause: error })
  }
  if (
    typeof read?.rankward !== 'string' ||
    typeof read.format !== 'number' ||
    typeof read.options !== 'object'
  ) {
    throw new RankwardError(
      'NO_CRAWL',
      `crawl.json in ${path} does not belong to a crawl: it has no options.`,
    )
  }
  const { checksums, ...file } = read as CrawlFile & { checksums?: Checksums }
  if (file.format !== format) {
    throw new RankwardError(
      'NO_CRAWL',
      `The crawl in ${path} has format ${file.format}, of Rankward ${file.rankward}; this is Rankward ${version}, which reads format ${format}. Use Rankward ${file.rankward}.`,
    )
  }
  const expected = checksumsOf(file)
  const parts = ['crawl', 'totals'] as const
  return { file, damage: parts.find((part) => checksums?.[part] !== expected[part]) }
}

function checksumsOf({ totals, endedAt, ...crawl }: CrawlFile): Checksums {
  return { crawl: sumOf(crawl), totals: sumOf({ totals, endedAt }) }
}

function sumOf(part: object): string {
  return crc32(JSON.stringify(part)).toString(16).padStart(8, '0')
}
