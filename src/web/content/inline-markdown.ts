/**
 * The inside of a block as Markdown: links, emphasis, code, images, line breaks. Everything that a CommonMark parser could take for
 * markup is escaped, and emphasis is left out where its marks would not count as such, so that a parser reads back the same text.
 */
import { decoded, eventsEnd, runTogether } from './block-text.ts'
import {
  breakEvent,
  codeEvent,
  emphasisEvent,
  gapEvent,
  imageEvent,
  linkEvent,
  strongEvent,
} from './page-tables.ts'
import { textEvent } from './page-tables.ts'
import type { PageScan } from './page-scan.ts'

/** The absolute address of a link or image; undefined if it has none that Markdown should show. */
export type Resolve = (href: string) => string | undefined

type Mark = '**' | '*' | '`' | 'link'

interface Open {
  readonly mark: Mark
  readonly href: string | undefined
  /** Where its text starts in the output. */
  readonly at: number
  /** Before escaping: the plain text so far. */
  readonly plainAt: number
}

const marks = new Map<number, Mark>([
  [linkEvent, 'link'],
  [strongEvent, '**'],
  [emphasisEvent, '*'],
  [codeEvent, '`'],
])
export const hardBreak = '\\\n'

export class InlineWriter {
  readonly #scan: PageScan
  readonly #resolve: Resolve
  #out = ''
  /** The text as a parser reads it back; decides about blanks. */
  #plain = ''
  #open: Open[] = []
  #gap = false
  /** The position after the last emphasis, whose closing marks must not touch others. */
  #lastMarks = -1
  /** Closing marks that wait for what follows them. */
  #pending: { readonly open: Open; readonly end: number; readonly plainEnd: number } | undefined

  constructor(scan: PageScan, resolve: Resolve) {
    this.#scan = scan
    this.#resolve = resolve
  }

  write(block: number): string {
    const { blocks, events, html } = this.#scan
    this.#out = this.#plain = ''
    this.#open = []
    this.#gap = false
    this.#lastMarks = -1
    this.#pending = undefined
    for (let at = blocks.columns.events[block]; at < eventsEnd(this.#scan, block); at += 3) {
      const kind = events.numbers[at]
      const [start, end] = [events.numbers[at + 1], events.numbers[at + 2]]
      if (kind === textEvent) this.#text(decoded(html.slice(start, end)))
      else if (kind === breakEvent) this.#break()
      else if (kind === gapEvent) this.#gap = true
      else if (kind === imageEvent) {
        const [altStart, altEnd] = [events.numbers[at + 4], events.numbers[at + 5]]
        this.#image(html.slice(start, end), altStart === -1 ? '' : html.slice(altStart, altEnd))
        at += 3
      } else if (marks.has(kind))
        this.#opened(marks.get(kind)!, kind === linkEvent ? html.slice(start, end) : undefined)
      else if (marks.has(kind - 1)) this.#closed(marks.get(kind - 1)!)
    }
    while (this.#open.length > 0) this.#closed(this.#open.at(-1)!.mark)
    this.#settle('')
    while (this.#out.trimEnd() !== this.#out || this.#out.endsWith(hardBreak)) {
      this.#out = this.#out.endsWith(hardBreak)
        ? this.#out.slice(0, -hardBreak.length)
        : this.#out.slice(0, -1)
    }
    return this.#out
  }

  get #inCode(): boolean {
    return this.#open.some(({ mark }) => mark === '`')
  }

  #text(text: string): void {
    if (this.#gap && runTogether(this.#plain, text)) this.#append(' ')
    this.#gap = false
    const collapsed = text.replace(/\s+/g, ' ')
    const isBlank = this.#plain === '' || /\s$/.test(this.#plain)
    this.#append(isBlank ? collapsed.trimStart() : collapsed)
  }

  #append(text: string): void {
    if (text === '') return
    this.#settle(text)
    this.#plain += text
    this.#out += this.#inCode ? text : escaped(text)
  }

  #break(): void {
    if (this.#inCode) {
      this.#text(' ')
      return
    }
    this.#settle('\n')
    // Marks of emphasis would have to be closed before the line ends.
    if (this.#plain.trim() === '' || this.#open.length > 0) {
      this.#text(' ')
      return
    }
    this.#out = `${this.#out.trimEnd()}${hardBreak}`
    this.#plain = `${this.#plain.trimEnd()}\n`
  }

  #image(src: string, alt: string): void {
    const address = this.#inCode ? undefined : this.#resolve(decoded(src))
    if (address === undefined) return
    this.#settle('!')
    const text = decoded(alt).replace(/\s+/g, ' ').trim()
    const blank = this.#out === '' || /\s$|\[$/.test(this.#out) ? '' : ' '
    this.#out += `${blank}![${escaped(text)}](${address}) `
    this.#plain += ' '
  }

  #opened(mark: Mark, href: string | undefined): void {
    if (this.#open.some((open) => open.mark === mark || open.mark === '`')) return
    // One kind of emphasis at a time: nested marks have many special cases.
    if (mark.startsWith('*') && this.#open.some((open) => open.mark.startsWith('*'))) return
    if (mark === 'link') this.#settle('[')
    if (mark === '`') this.#settle('`')
    this.#open.push({ mark, href, at: this.#out.length, plainAt: this.#plain.length })
  }

  #closed(mark: Mark): void {
    const at = this.#open.findLastIndex((open) => open.mark === mark)
    if (at === -1) return
    // Marks that were opened inside and not closed end here, too.
    while (this.#open.length > at) {
      const open = this.#open.pop()!
      this.#settle('*')
      if (open.mark === 'link') this.#link(open)
      else if (open.mark === '`') this.#code(open)
      else this.#pending = { open, end: this.#out.length, plainEnd: this.#plain.length }
    }
  }

  #link({ href, at }: Open): void {
    const address = href === undefined ? undefined : this.#resolve(decoded(href))
    const inner = this.#out.slice(at)
    const text = inner.trim()
    if (address === undefined || text === '') return
    const lead = inner.slice(0, inner.length - inner.trimStart().length)
    const tail = inner.slice(inner.trimEnd().length)
    if (text.includes(hardBreak)) return
    this.#out = `${this.#out.slice(0, at)}${lead}[${text}](${address})${tail}`
  }

  #code({ at, plainAt }: Open): void {
    const inner = this.#plain.slice(plainAt)
    const code = inner.trim()
    if (code === '') return
    const lead = /^\s/.test(inner) ? ' ' : ''
    const tail = /\s$/.test(inner) ? ' ' : ''
    const fence = '`'.repeat(longestRun(code) + 1)
    const pad = code.startsWith('`') || code.endsWith('`') ? ' ' : ''
    // A backtick before the fence would make it longer.
    const before = this.#out.slice(0, at)
    if (before.endsWith('`')) this.#out = before + escaped(inner)
    else this.#out = `${before}${lead}${fence}${pad}${code}${pad}${fence}${tail}`
  }

  /** Writes the marks of the last emphasis if they count as such between what is before, in and after them. */
  #settle(next: string): void {
    const pending = this.#pending
    if (pending === undefined) return
    this.#pending = undefined
    const { open, end, plainEnd } = pending
    const inner = this.#out.slice(open.at, end)
    const text = inner.trim()
    if (text === '' || open.at <= this.#lastMarks) return
    const lead = inner.slice(0, inner.length - inner.trimStart().length)
    const tail = inner.slice(inner.trimEnd().length)
    const plain = this.#plain.slice(open.plainAt, plainEnd).trim()
    const before = lead === '' ? this.#out.slice(0, open.at).at(-1) : ' '
    const after = tail === '' ? (this.#out.slice(end)[0] ?? next[0]) : ' '
    const isClear = isLetter(plain[0]) && isLetter(plain.at(-1)) && isLetter(text[0]) && isLetter(text.at(-1))
    const isApart =
      (before === undefined || /\s/.test(before)) && (after === undefined || /[\s.,;:!?)]/.test(after))
    if (!isApart && !isClear) return
    if (before === '*' || before === '\\' || after === '*' || text.startsWith('*') || text.endsWith('*'))
      return
    // Text that ends in a backslash would escape the mark.
    if (text.endsWith('\\')) return
    const head = `${this.#out.slice(0, open.at)}${lead}${open.mark}${text}${open.mark}${tail}`
    this.#lastMarks = head.length
    this.#out = head + this.#out.slice(end)
  }
}

function isLetter(char: string | undefined): boolean {
  return char !== undefined && /[\p{L}\p{N}]/u.test(char)
}

function longestRun(text: string): number {
  let longest = 0
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length)
  return longest
}

const special = /[\\`*[\]<~|]|_(?![\p{L}\p{N}])|(?<![\p{L}\p{N}])_|&(?=[a-z#])|!$/giu

/** Escapes what would be markup inside a line. */
function escaped(text: string): string {
  return text.replace(special, '\\$&')
}

/** Escapes what would be markup at the start of a line. */
export function escapedStart(line: string): string {
  return line
    .replace(/^(\s*)(#{1,6}(?=\s|$)|>|[+=-])/, '$1\\$2')
    .replace(/^(\s*\d{1,9})([.)])(?=\s|$)/, '$1\\$2')
}
