/** Checks the index of a WARC file against the file, and rebuilds it from there. */
import { plural } from '../../../lib/amounts.ts'
import { existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { RankwardError } from '../../../lib/errors.ts'
import type { CrawlFolder } from '../../record/crawl-folder.ts'
import { sortedLines } from '../../../web/warc/cdxj.ts'
import { readWarc } from '../../../web/warc/reader.ts'
import { writeIndex } from '../../../web/warc/tail.ts'
import type { WarcContent } from './archive-check.ts'
import { captureLine, isCapture } from './capture-line.ts'
import type { PartFindings } from '../../read/verify/findings.ts'
import { LineSet } from './line-set.ts'

interface IndexCheckOptions {
  readonly folder: CrawlFolder
  /** Whether the file is closed: then its index is sorted and has no line more. */
  readonly isClosed: boolean
}

/** Returns the number of lines. */
export function checkIndex(
  findings: PartFindings,
  warc: WarcContent,
  { folder, isClosed }: IndexCheckOptions,
): number {
  const path = warc.index
  const name = relative(folder.path, path)
  const hasFile = existsSync(path)
  if (hasFile) findings.files++
  const found = hasFile ? linesOf(path, isClosed ? Infinity : warc.file.length) : noLines
  findings.bytes += found.bytes
  const differences = warc.lines.differences(found.lines)
  const problems = problemsOf({ ...found, ...differences, hasFile, isClosed, lineCount: warc.lines.count })
  if (problems.length === 0) return found.lines.count
  // What a damaged record said cannot be known.
  if (!warc.isWhole) {
    findings.damaged(name, `${problems.join(' ')} It cannot be rebuilt, because its WARC file is damaged.`)
    return found.lines.count
  }
  const matched = found.lines.count - differences.others
  const isOwn = !hasFile || matched > 0 || isRemnant(path, warc)
  const foreign = ' It may be a file of another origin: move it away to have it rebuilt.'
  findings.damaged(
    name,
    `${problems.join(' ')}${isOwn ? '' : foreign}`,
    isOwn ? () => Promise.resolve(writeIndex(path, rebuilt(warc), 'latin1')) : undefined,
  )
  return found.lines.count
}

interface ComparedLines extends Omit<FoundLines, 'lines'> {
  /** Lines that the index does not have, of all that it should have; lines that it has beside them. */
  readonly own: number
  readonly lineCount: number
  readonly others: number
  readonly hasFile: boolean
  readonly isClosed: boolean
}

function problemsOf(index: ComparedLines): string[] {
  const { own: missing, others, lineCount, hasFile, isClosed, isSorted, isTerminated } = index
  const isSame = missing === 0 && others === 0
  const checks: readonly (readonly [isWrong: boolean, what: string])[] = [
    [!hasFile, 'It is missing.'],
    [hasFile && missing > 0, `${plural(missing, 'line')} of ${lineCount} are missing or changed.`],
    [others > 0, `${plural(others, 'line')} of no response in its WARC file.`],
    [isClosed && isSame && !isSorted, 'Its lines are not in order.'],
    [isClosed && !isTerminated, 'Its last line has no end.'],
  ]
  return checks.filter(([isWrong]) => isWrong).map(([, what]) => what)
}

interface FoundLines {
  readonly lines: LineSet
  readonly bytes: number
  readonly isSorted: boolean
  readonly isTerminated: boolean
}

const noLines: FoundLines = { lines: new LineSet(), bytes: 0, isSorted: true, isTerminated: true }

/** Lines of records beyond this length, and a torn last line, are not recorded yet. */
function linesOf(path: string, warcLength: number): FoundLines {
  // As the writer does when it closes the file.
  const bytes = readFileSync(path)
  const lines = new LineSet()
  let isSorted = true
  let before: Buffer | undefined
  let start = 0
  while (start < bytes.length) {
    const at = bytes.indexOf(lineFeed, start)
    const line = bytes.subarray(start, at < 0 ? bytes.length : at)
    isSorted &&= before === undefined || Buffer.compare(before, line) <= 0
    before = line
    if (endOf(line) <= warcLength) lines.add(line)
    start += line.length + 1
  }
  return { lines, bytes: bytes.length, isSorted, isTerminated: start === bytes.length }
}

const lineFeed = 0x0a

/** Infinity for a line that is damaged. */
function endOf(line: Buffer): number {
  try {
    const text = line.toString('utf8')
    const { offset, length } = JSON.parse(text.slice(text.indexOf('{'))) as { offset: string; length: string }
    return Number(offset) + Number(length)
  } catch {
    return Infinity
  }
}

/** Bytes at the start of a file that say whose it is. */
const headBytes = 1 << 16

/** Whether a file without any whole line of ours is the rest of one: empty, a beginning of it, or naming the WARC file. */
function isRemnant(path: string, warc: WarcContent): boolean {
  const text = readFileSync(path, 'latin1').slice(0, headBytes)
  return text.includes(`"filename":"${warc.file.name}"`) || rebuilt(warc).startsWith(text)
}

/** The index, as the writer of the WARC file leaves it. */
function rebuilt({ path, file }: WarcContent): string {
  const lines: string[] = []
  for (const record of readWarc(path, { end: file.length })) {
    if (!isCapture(record)) continue
    const line = captureLine(record, file.name)
    if (line === undefined) throw new RankwardError('BAD_WARC', `${path} has changed since it was read.`)
    lines.push(Buffer.from(line).toString('latin1'))
  }
  return sortedLines(lines.join(''))
}
