/** The main content as CommonMark with GFM tables: headings, lists, quotations, tables, code, absolute links, images. No raw HTML. */
import { resolveBase, resolveLink } from '../html/resolution.ts'
import { blockText, decoded } from './block-text.ts'
import { escapedStart, hardBreak, InlineWriter, type Resolve } from './inline-markdown.ts'
import { noElement, Outline } from './outline.ts'
import type { PageScan } from './page-scan.ts'
import { codeEvent } from './page-tables.ts'
import { eventsEnd } from './block-text.ts'
import { tagNumbers } from './tags.ts'

const cellsMax = 200

/** `base`: the href of the page's base element. */
export function markdownOf(scan: PageScan, taken: Uint8Array, base: string | undefined, url: string): string {
  return new MarkdownWriter(scan, taken, resolver(resolveBase(base, url), url)).write()
}

function resolver(base: string, url: string): Resolve {
  return (href) => {
    // A link within the page leads nowhere in a file of its own.
    if (href === '' || href.startsWith('#')) return undefined
    const address = resolveLink(href.trim(), base === '' ? url : base)
    return address?.replace(/[()<>\\\s`|]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
  }
}

class MarkdownWriter {
  readonly #scan: PageScan
  readonly #taken: Uint8Array
  readonly #outline: Outline
  readonly #inline: InlineWriter
  readonly #pieces: string[] = []
  /** Open list items, outermost first, with the width of what stands before their text. */
  #items: { readonly item: number; readonly indent: number }[] = []
  #quotes = 0
  /** Numbers of the next items, by ordered list. */
  readonly #numbers = new Map<number, number>()
  #wasItem = false

  constructor(scan: PageScan, taken: Uint8Array, resolve: Resolve) {
    this.#scan = scan
    this.#taken = taken
    this.#outline = new Outline(scan)
    this.#inline = new InlineWriter(scan, resolve)
  }

  write(): string {
    const { blocks } = this.#scan
    for (let block = 0; block < blocks.count;) {
      if (!this.#isShown(block)) {
        block++
        continue
      }
      const element = blocks.columns.element[block]
      const table = this.#outline.table[element]
      const pre = this.#outline.pre[element]
      if (table !== noElement && this.#outline.row[element] !== noElement) block = this.#table(block, table)
      else if (pre !== noElement) block = this.#code(block, pre)
      else {
        const text = this.#inline.write(block)
        if (text !== '') this.#add(element, this.#lined(text, this.#outline.heading[element]))
        block++
      }
    }
    return this.#pieces.join('')
  }

  /** A picture without text is shown between two blocks that are. */
  #isShown(block: number): boolean {
    const { count, columns } = this.#scan.blocks
    if (this.#taken[block] === 1) return true
    if (columns.chars[block] > 0 || columns.images[block] === 0) return false
    return block > 0 && block + 1 < count && this.#taken[block - 1] === 1 && this.#taken[block + 1] === 1
  }

  #lined(text: string, heading: number): string {
    if (heading > 0) {
      const line = text.replaceAll(hardBreak, ' ')
      // Marks at the end of a heading would be its closing sequence.
      return `${'#'.repeat(heading)} ${line.replace(/(#+)$/, (run) => `\\${run}`)}`
    }
    return text
      .split('\n')
      .map((line) => escapedStart(line))
      .join('\n')
  }

  /** Adds lines as a block of the list item and quotation that its element is in. */
  #add(element: number, text: string): void {
    const quotes = this.#outline.quotes[element]
    if (quotes !== this.#quotes) this.#items = []
    const items = this.#outline.itemsOf(element)
    const known = this.#items.filter(({ item }) => items.includes(item))
    const isNew = items.length > 0 && known.at(-1)?.item !== items.at(-1)
    this.#items = known
    const indent = known.at(-1)?.indent ?? 0
    let first = ' '.repeat(indent)
    let width = indent
    if (isNew) {
      const marker = this.#marker(items.at(-1)!)
      first += marker
      width += marker.length
      this.#items = [...known, { item: items.at(-1)!, indent: width }]
    }
    const quote = '> '.repeat(quotes)
    const rest = ' '.repeat(width)
    const lines = text.split('\n').map((line, i) => `${quote}${i === 0 ? first : rest}${line}`.trimEnd())
    if (this.#pieces.length > 0) {
      const isTight = isNew && this.#wasItem && quotes === this.#quotes
      this.#pieces.push(isTight ? '\n' : `\n${quotes === this.#quotes ? quote.trimEnd() : ''}\n`)
    }
    this.#pieces.push(lines.join('\n'))
    this.#wasItem = isNew
    this.#quotes = quotes
  }

  #marker(item: number): string {
    const list = this.#outline.list[item]
    if (list === noElement || this.#scan.elements.tag[list] !== tagNumbers.ol) return '- '
    const number = this.#numbers.get(list) ?? 1
    this.#numbers.set(list, number + 1)
    return `${number}. `
  }

  /** All blocks of a preformatted element. Returns the block after them. */
  #code(start: number, pre: number): number {
    const { blocks } = this.#scan
    const lines: string[] = []
    let block = start
    for (; block < blocks.count && this.#outline.pre[blocks.columns.element[block]] === pre; block++) {
      if (this.#taken[block] === 1) lines.push(blockText(this.#scan, block))
    }
    const text = lines.join('\n').replace(/\r\n?/g, '\n')
    if (text.trim() === '') return block
    let fence = '```'
    while (text.includes(fence)) fence += '`'
    this.#add(blocks.columns.element[start], `${fence}${this.#language(start, pre)}\n${text}\n${fence}`)
    return block
  }

  /** From classes such as `language-ts` of the element or of a code element in it. */
  #language(block: number, pre: number): string {
    const { html, elements, events, blocks } = this.#scan
    const tag = html.slice(elements.start[pre], elements.start[pre] + 300)
    let names = tag.slice(0, Math.max(0, tag.indexOf('>')))
    for (let at = blocks.columns.events[block]; at < eventsEnd(this.#scan, block); at += 3) {
      if (events.numbers[at] !== codeEvent || events.numbers[at + 2] === 0) continue
      names += ` ${html.slice(events.numbers[at + 1], events.numbers[at + 2])}`
      break
    }
    return (
      /(?:lang(?:uage)?-|highlight-source-|brush:\s*)([a-z0-9+#-]{1,20})/i.exec(decoded(names))?.[1] ?? ''
    )
  }

  /** All blocks of a table, row by row. Returns the block after them. */
  #table(start: number, table: number): number {
    const { blocks, elements } = this.#scan
    const outline = this.#outline
    const rows: { readonly row: number; readonly cells: { readonly cell: number; text: string }[] }[] = []
    let block = start
    for (; block < blocks.count && outline.table[blocks.columns.element[block]] === table; block++) {
      if (this.#taken[block] === 0) continue
      const element = blocks.columns.element[block]
      const text = this.#inline.write(block).replaceAll(hardBreak, ' ').replaceAll('\n', ' ')
      const row = outline.row[element]
      let last = rows.at(-1)
      if (last === undefined || last.row !== row) rows.push((last = { row, cells: [] }))
      const cell = last.cells.at(-1)
      if (cell?.cell === outline.cell[element]) cell.text += ` ${text}`
      else last.cells.push({ cell: outline.cell[element], text })
    }
    const width = Math.min(cellsMax, Math.max(...rows.map(({ cells }) => cells.length)))
    const line = (cells: readonly string[]): string =>
      `| ${Array.from({ length: width }, (_, i) => piped(cells[i] ?? '')).join(' | ')} |`
    const texts = rows.map(({ cells }) => cells.map(({ text }) => text))
    // Longer rows keep their text in the last cell.
    const fitted = texts.map((cells) =>
      cells.length <= width ? cells : [...cells.slice(0, width - 1), cells.slice(width - 1).join(' ')],
    )
    const isHead = rows[0].cells.every(({ cell }) => elements.tag[cell] === tagNumbers.th)
    const [head, body] = isHead ? [fitted[0], fitted.slice(1)] : [[], fitted]
    const rule = `| ${Array.from({ length: width }, () => '---').join(' | ')} |`
    this.#add(elements.parent[table], [line(head), rule, ...body.map(line)].join('\n'))
    this.#wasItem = false
    return block
  }
}

/** Pipes in text are escaped already; those in code are not. */
function piped(cell: string): string {
  return cell.replace(/(?<!\\)\|/g, '\\|').trim()
}
