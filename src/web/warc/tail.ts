/**
 * After a crash, a WARC file may end in the middle of a record. The crawl's record has the end of the last
 * complete WARC record that counts; everything after it is removed, because its page will be refetched.
 */
import { closeSync, existsSync, fstatSync, ftruncateSync, openSync } from 'node:fs'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { unreadableWarc, unwritableWarc } from './failure.ts'

/** Truncates the file to this length. A shorter file has lost recorded pages: that is an error. */
export function truncateTail(path: string, length: number): void {
  let file: number
  try {
    file = openSync(path, 'r+')
  } catch (cause) {
    throw unwritableWarc(path, cause)
  }
  try {
    const { size } = fstatSync(file)
    if (size < length) {
      throw unreadableWarc(path, size, `it ends here, but the crawl's record has pages up to byte ${length}`)
    }
    // Not synced to disk: if the truncation is lost in another crash, it is repeated.
    if (size > length) ftruncateSync(file, length)
  } finally {
    closeSync(file)
  }
}

/** The lines of an index without those of truncated records, and without a torn last line; empty if it is missing. */
export function indexWithin(path: string, warcLength: number): string {
  if (!existsSync(path)) return ''
  const lines = readFileSync(path, 'utf8').split('\n')
  lines.pop() // the text after the last line end: empty, or a torn line
  const kept = lines.filter((line) => isWithin(line, warcLength))
  return kept.map((line) => `${line}\n`).join('')
}

/** The end of the last record that a complete line of the index describes; 0 if there is none. */
export function endOfIndexed(path: string): number {
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1)
  return lines.reduce((end, line) => Math.max(end, endOf(line) ?? 0), 0)
}

/** Atomic, even if the process is killed: lost index lines cannot be recovered. */
export function writeIndex(path: string, text: string, encoding: 'utf8' | 'latin1' = 'utf8'): void {
  try {
    writeFileSync(`${path}.part`, text, { encoding, flush: true })
    renameSync(`${path}.part`, path)
  } catch (cause) {
    throw unwritableWarc(path, cause)
  }
}

function isWithin(line: string, warcLength: number): boolean {
  return (endOf(line) ?? Infinity) <= warcLength
}

/** Undefined if the line is damaged. */
function endOf(line: string): number | undefined {
  try {
    const { offset, length } = JSON.parse(line.slice(line.indexOf('{'))) as { offset: string; length: string }
    return Number(offset) + Number(length)
  } catch {
    return undefined
  }
}
