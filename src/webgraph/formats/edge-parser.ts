/**
 * Parses an edge list from chunks of bytes, without a string or an object per line: two columns of ids,
 * separated by tabs, spaces or commas; further columns (weights, times) are ignored. Lines that start with
 * `#` or `%` are comments; SNAP's `# Nodes: N Edges: M` among them gives the number of pages.
 */
import { RankwardError } from '../../lib/errors.ts'
import type { EdgeRuns } from './edge-runs.ts'

const idMax = 0xffff_ffff

/** The parser's state within a line. Outside of comments, it is odd while a number is read. */
const atStart = 0
const inSource = 1
const afterSource = 2
const inTarget = 3
const inRest = 4
const inComment = 5

const newline = 0x0a
const isGap = new Uint8Array(256)
for (const gap of '\t ,\r') isGap[gap.charCodeAt(0)] = 1

export class EdgeParser {
  readonly #path: string
  readonly #runs: EdgeRuns
  /** The number of pages in the header, or undefined. */
  nodesInHeader: number | undefined
  #line = 1
  #state = atStart
  #source = 0
  #number = 0
  #comment = ''

  constructor(path: string, runs: EdgeRuns) {
    this.#path = path
    this.#runs = runs
  }

  feed(chunk: Uint8Array): void {
    let state = this.#state
    let source = this.#source
    let number = this.#number
    const length = chunk.length
    for (let i = 0; i < length; i++) {
      const byte = chunk[i]
      const digit = byte - 0x30
      if (state === inComment && byte !== newline) this.#comment += String.fromCharCode(byte)
      else if (digit >= 0 && digit <= 9) {
        if ((state & 1) === 1) {
          number = number * 10 + digit
          if (number > idMax) this.#fail('id-too-large', chunk, i)
        } else if (state !== inRest) {
          number = digit
          state++
        }
      } else if (byte === newline) {
        this.#endLine(state, source, number, chunk, i)
        state = atStart
        this.#line++
      } else if (isGap[byte] === 1) {
        if (state === inSource) {
          source = number
          state = afterSource
        } else if (state === inTarget) {
          this.#runs.push(source, number)
          state = inRest
        }
      } else if (state !== inRest) state = this.#startComment(state, chunk, i)
    }
    this.#state = state
    this.#source = source
    this.#number = number
  }

  /** Ends the file, with or without a final newline. */
  finish(): void {
    this.#endLine(this.#state, this.#source, this.#number, new Uint8Array(0), 0)
  }

  #endLine(state: number, source: number, number: number, chunk: Uint8Array, at: number): void {
    if (state === inTarget) this.#runs.push(source, number)
    else if (state === inSource || state === afterSource) this.#fail('one-column', chunk, at)
    else if (state === inComment) this.#endComment()
  }

  /** Refuses all bytes but those that start a comment. */
  #startComment(state: number, chunk: Uint8Array, at: number): number {
    const byte = chunk[at]
    if (state === atStart && (byte === 0x23 /* # */ || byte === 0x25) /* % */) return inComment
    const isNegative = byte === 0x2d /* - */ && (state === atStart || state === afterSource)
    return this.#fail(isNegative ? 'negative' : 'no-number', chunk, at)
  }

  #endComment(): void {
    // Only the beginning of a comment can be a header; long comments are not kept.
    const nodes = /\bNodes:\s*(\d+)\b/i.exec(this.#comment.slice(0, 1000))
    if (nodes !== null) this.nodesInHeader = this.#nodes(nodes[1])
    this.#comment = ''
  }

  #nodes(text: string): number {
    const nodes = Number(text)
    if (nodes <= idMax + 1) return nodes
    throw new RankwardError(
      'BAD_EDGE_LIST',
      `${this.#path}:${this.#line}: the header says ${text.slice(0, 30)} nodes; a graph has at most ${idMax + 1}.`,
    )
  }

  #fail(
    what: 'id-too-large' | 'one-column' | 'negative' | 'no-number',
    chunk: Uint8Array,
    at: number,
  ): never {
    const from = at === 0 ? 0 : chunk.lastIndexOf(newline, at - 1) + 1
    const end = chunk.indexOf(newline, at)
    const shown = printable(chunk.subarray(from, Math.min(end < 0 ? chunk.length : end, from + 60)))
    const why = {
      'id-too-large': `an id of 2^32 or more; ids go up to ${idMax}`,
      'one-column': 'only one column; a line is "from<TAB>to"',
      negative: 'a negative id; ids are whole numbers from 0 up',
      'no-number': 'something other than a whole number; a line is "from<TAB>to"',
    }[what]
    throw new RankwardError('BAD_EDGE_LIST', `${this.#path}:${this.#line}: ${why} (read "${shown}").`)
  }
}

/** Bytes of an untrusted file, safe for a terminal. */
export function printable(bytes: Uint8Array): string {
  return Buffer.from(bytes)
    .toString('utf8')
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
}
