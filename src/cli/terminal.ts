/** Terminal output of the commands: progress on standard error, tables and bars on standard output. */
import { pathToFileURL } from 'node:url'
import { stripVTControlCharacters, styleText } from 'node:util'
import { safe } from '../crawler/read/words.ts'
import { durationText, shortCount } from '../lib/amounts.ts'
import type { Progress } from '../lib/progress.ts'

export { grouped } from '../lib/amounts.ts'
export { safe }

const redrawMs = 100

interface ProgressBar {
  readonly progress: Progress
  /** Clears the line, so that the following output starts on a clean one. */
  end(): void
}

/** A note on standard error, after the line of a progress bar that may be drawn. */
export function printNote(line: string): void {
  process.stderr.write(`${process.stderr.isTTY ? '\r\u001b[K' : ''}rankward: note: ${safe(line)}\n`)
}

/**
 * A progress bar on standard error: only if that is a terminal or if progress is requested (then as lines, if
 * it is not a terminal).
 */
export function progressBar(label: string, asked: boolean | undefined): ProgressBar {
  const terminal = process.stderr.isTTY
  if (asked === false || (asked !== true && !terminal)) return { progress: () => {}, end: () => {} }
  const startedMs = Date.now()
  let drawnMs = 0
  let drawn = false
  return {
    progress(done, total, note = '') {
      const nowMs = Date.now()
      if (nowMs - drawnMs < (terminal ? redrawMs : 2000)) return
      drawnMs = nowMs
      drawn = true
      const line = progressLine(label, done, total, note, (nowMs - startedMs) / 1000)
      process.stderr.write(terminal ? `\r${line}\u001b[K` : `${line}\n`)
    },
    end() {
      if (drawn && terminal) process.stderr.write('\r\u001b[K')
    },
  }
}

function progressLine(
  label: string,
  done: number,
  total: number | undefined,
  note: string,
  seconds: number,
): string {
  const parts = [label]
  if (total !== undefined && total > 0) {
    const share = Math.min(1, done / total)
    parts.push(bar(share, 24), `${Math.floor(share * 100)}%`)
    if (share > 0.02 && share < 1)
      parts.push(`${durationText(Math.round((seconds / share) * (1 - share)))} left at this rate`)
  } else parts.push(shortCount(done))
  parts.push(durationText(seconds))
  if (note !== '') parts.push(note)
  return parts.join('  ')
}

const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉']

/** A horizontal bar of at most `width` characters, to an eighth of one. */
export function bar(share: number, width: number): string {
  const units = Math.round(Math.max(0, Math.min(1, share)) * width * 8)
  return ('█'.repeat(Math.floor(units / 8)) + eighths[units % 8]).padEnd(width)
}

export interface Column {
  readonly title: string
  readonly align?: 'left' | 'right'
  /** Left out of a terminal that is too narrow for all columns; the last such column first. */
  readonly isOptional?: boolean
}

/** A table with a bold header; numbers are right-aligned. */
export function table(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  widthMax = terminalWidth(),
): string {
  const widths = columns.map(({ title }, i) => Math.max(title.length, ...rows.map((row) => row[i].length)))
  const gap = widths.reduce((sum, width) => sum + width + 2, -2) > widthMax ? 1 : 2
  const shown = columns.map((_, i) => i)
  const total = (): number => shown.reduce((sum, i) => sum + widths[i] + gap, -gap)
  while (total() > widthMax) {
    const last = shown.findLastIndex((i) => columns[i].isOptional)
    if (last < 0) break
    shown.splice(last, 1)
  }
  const line = (cells: readonly string[]): string =>
    shown
      .map((i) => (columns[i].align === 'right' ? cells[i].padStart(widths[i]) : cells[i].padEnd(widths[i])))
      .join(' '.repeat(gap))
      .trimEnd()
  return [bold(line(columns.map(({ title }) => title))), ...rows.map(line)].join('\n')
}

const narrowest = 40

/** Columns of the terminal; Infinity if standard output is a file or a pipe. */
function terminalWidth(): number {
  return process.stdout.isTTY ? Math.max(narrowest, process.stdout.columns) : Infinity
}

/**
 * Breaks lines that are longer than the terminal between words. Continued lines begin below the last column of
 * the line: after its last gap of two or more spaces. Lines that end in a command stay whole, to be copied.
 */
export function fitted(text: string, widthMax = terminalWidth()): string {
  return text
    .split('\n')
    .flatMap((line) => fittedLine(line, widthMax))
    .join('\n')
}

const widthOf = (text: string): number => stripVTControlCharacters(text).length

function fittedLine(line: string, widthMax: number): string[] {
  const text = line.replace(/^.* {2,}(?=\S)/, '')
  if (widthOf(line) <= widthMax || text.startsWith('rankward ')) return [line]
  const before = line.slice(0, line.length - text.length)
  // In a narrow terminal, text below its column would be a word per line.
  const indent = ' '.repeat(widthOf(before) > widthMax - 20 ? 2 : widthOf(before))
  const lines: string[] = []
  let current = before
  for (const [i, word] of text.split(' ').entries()) {
    const longer = i === 0 ? before + word : `${current} ${word}`
    if (i > 0 && widthOf(longer) > widthMax) {
      lines.push(current)
      current = indent + word
    } else current = longer
  }
  return [...lines, current]
}

export function bold(text: string): string {
  return process.stdout.isTTY ? styleText('bold', text) : text
}

export function dim(text: string): string {
  return process.stdout.isTTY ? styleText('dim', text) : text
}

/** The last line of a command that writes a report: its address, which terminals open on a click. */
export function reportLine(path: string): string {
  return `Report: ${pathToFileURL(path).href}`
}

/**
 * JSON for a terminal: escapes the control characters that JSON leaves, which does not change its meaning.
 */
export function safeJson(json: string): string {
  return json.replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, (char) =>
    char === '\n' ? char : `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** Prints each value as a line of JSON; waits while the reader of standard output is behind. */
export async function printLines(values: AsyncIterable<object>): Promise<void> {
  for await (const value of values) {
    const line = `${safeJson(JSON.stringify(value))}\n`
    if (!process.stdout.write(line)) await new Promise((resolve) => process.stdout.once('drain', resolve))
  }
}

/** Waits for Ctrl-C, for commands that serve something until then. */
export function interrupted(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.removeAllListeners(signal).once(signal, () => resolve())
    }
  })
}
