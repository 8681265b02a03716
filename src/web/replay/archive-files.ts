/**
 * The WARC files of an archive and their captures: from a crawl's folder, other folders, WARC files, and WACZ files. The CDXJ
 * index of a WARC file is used if there is one; otherwise the file is read from beginning to end.
 */
import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { RankwardError } from '../../lib/errors.ts'
import { openBytes } from '../../lib/files/byte-source.ts'
import { readLines } from '../../lib/files/lines.ts'
import type { Progress } from '../../lib/progress.ts'
import { indexPathOf } from '../warc/cdxj.ts'
import { readWarc } from '../warc/reader.ts'
import { Captures } from './captures.ts'
import { memberBytes, zipMembers } from './zip-members.ts'

export interface Archive {
  readonly captures: Captures
  /** By number: the file that has the records. */
  readonly paths: readonly string[]
  /** What could not be read, as sentences; the rest is served. */
  readonly problems: readonly string[]
}

/** A WARC file, or the part of a WACZ file that is one. */
interface WarcPart {
  readonly path: string
  /** Its name in indexes. */
  readonly name: string
  readonly start: number
  readonly end: number
}

/** The lines of an index. */
type Lines = AsyncIterable<string>

interface IndexedParts {
  readonly parts: readonly WarcPart[]
  /** Undefined: the parts have no index. */
  readonly index?: (() => Lines) | undefined
}

const isWarc = (name: string): boolean => /\.warc(?:\.gz)?$/.test(name)
const isWacz = (name: string): boolean => /\.wacz$/i.test(name)

export async function openArchive(given: readonly string[], progress: Progress = () => {}): Promise<Archive> {
  const files = given.flatMap(filesOf)
  const captures = new Captures()
  const paths: string[] = []
  const problems: string[] = []
  for (const [i, file] of files.entries()) {
    progress(i, files.length)
    for (const { parts, index } of isWacz(file) ? waczParts(file) : [warcParts(file)]) {
      const numbers = new Map(parts.map((part) => [part.name, { part, number: paths.push(part.path) - 1 }]))
      try {
        if (index === undefined) for (const { part, number } of numbers.values()) scan(part, number, captures)
        else for await (const line of index()) addLine(line, numbers, captures)
      } catch (error) {
        if (!(error instanceof RankwardError)) throw error
        problems.push(error.message)
      }
    }
  }
  progress(files.length, files.length)
  if (captures.count === 0)
    throw new RankwardError(
      'NO_ARCHIVE',
      `${given.join(', ')}: no archived response was found.${problems.map((problem) => ` ${problem}`).join('')}`,
    )
  return { captures, paths, problems }
}

/** The WARC and WACZ files of an argument. */
function filesOf(given: string): string[] {
  if (!existsSync(given))
    throw new RankwardError('FILE_UNREADABLE', `Cannot read ${given}: there is no such file.`)
  if (!statSync(given).isDirectory()) {
    if (isWarc(given) || isWacz(given)) return [given]
    throw new RankwardError(
      'UNKNOWN_FORMAT',
      `${given} is not an archive. Expected the folder of a crawl, WARC files (.warc, .warc.gz) or WACZ files (.wacz).`,
    )
  }
  const inCrawl = join(given, 'warc')
  const folder = existsSync(inCrawl) ? inCrawl : given
  const names = readdirSync(folder).filter((name) => isWarc(name) || isWacz(name))
  if (names.length === 0)
    throw new RankwardError(
      'NO_ARCHIVE',
      `${given} has no WARC or WACZ files. Crawl with an archive, or give other files.`,
    )
  return names.toSorted().map((name) => join(folder, name))
}

function warcParts(path: string): IndexedParts {
  const parts = [{ path, name: basename(path), start: 0, end: statSync(path).size }]
  const index = indexPathOf(path)
  return { parts, index: existsSync(index) ? () => textLines(index) : undefined }
}

async function* textLines(path: string): Lines {
  for await (const line of readLines(await openBytes(path))) yield Buffer.from(line).toString('utf8')
}

/** WARC files that an index of the WACZ file names are found by it; the others are read. */
function waczParts(path: string): IndexedParts[] {
  const members = zipMembers(path)
  const archives = members.filter(({ name }) => name.startsWith('archive/') && isWarc(name))
  const packed = archives.find(({ isStored }) => !isStored)
  if (packed !== undefined)
    throw new RankwardError(
      'UNKNOWN_FORMAT',
      `${path}: ${packed.name} is compressed by the ZIP file. Unpack it, and serve its WARC files.`,
    )
  const parts = archives.map(({ name, start, end }) => ({ path, name: basename(name), start, end }))
  const indexes = members.filter(({ name }) => /^indexes\/.*\.(?:cdxj?|cdxj?\.gz)$/.test(name))
  if (indexes.length === 0) return parts.map((part) => ({ parts: [part] }))
  return [
    {
      parts,
      index: async function* () {
        for (const member of indexes) yield* linesIn(path, memberBytes(path, member))
      },
    },
  ]
}

async function* linesIn(path: string, stored: Buffer): Lines {
  const bytes = unpacked(path, stored)
  const chunks = async function* (): AsyncGenerator<Buffer> {
    yield bytes
  }
  for await (const line of readLines({ chunks })) yield Buffer.from(line).toString('utf8')
}

function unpacked(path: string, bytes: Buffer): Buffer {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes
  try {
    return gunzipSync(bytes)
  } catch (cause) {
    throw new RankwardError('BAD_GZIP', `${path}: its index is damaged.`, { cause })
  }
}

/** Lines of other files, of records that are not in the file yet, and lines that are torn are left out. */
function addLine(
  line: string,
  numbers: ReadonlyMap<string, { readonly part: WarcPart; readonly number: number }>,
  captures: Captures,
): void {
  const [, stamp, json] = /^\S+ (\d{14})\d* (\{.*\})\s*$/.exec(line) ?? []
  if (json === undefined) return
  const { url, filename, offset, length = 0 } = fieldsOf(json)
  const found = numbers.get(basename(String(filename)))
  const at = Number(offset)
  if (found === undefined || typeof url !== 'string' || !(at >= 0)) return
  const { part, number } = found
  if (part.start + at + Number(length) <= part.end) captures.add(url, stampMs(stamp), number, part.start + at)
}

function fieldsOf(json: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(json) as Record<string, unknown>
  } catch {
    return {}
  }
}

function stampMs(stamp: string): number {
  return Date.parse(stamp.replace(/^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/, '$1-$2-$3T$4:$5:$6Z'))
}

/** A file that is damaged, or still being written, is served up to there. */
function scan({ path, start, end }: WarcPart, number: number, captures: Captures): void {
  for (const record of readWarc(path, { start, end })) {
    const { type, targetUri } = record
    if (!isServed(type) || targetUri === undefined) continue
    captures.add(targetUri, Date.parse(record.field('WARC-Date') ?? ''), number, record.offset)
  }
}

const isServed = (type: string): boolean => type === 'response' || type === 'revisit' || type === 'resource'
