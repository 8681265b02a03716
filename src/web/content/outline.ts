/**
 * Where blocks stand: for each element, the list item, table row and cell, preformatted element and heading that it is in, and its
 * depth in quotations. Elements have higher numbers than their parents, so that one loop hands everything down.
 */
import type { PageScan } from './page-scan.ts'
import { tagNumbers } from './tags.ts'

const { blockquote, caption, h1, h2, h3, h4, h5, h6, li, listing, ol, pre, table, td, th, tr, ul } =
  tagNumbers
const headings = [h1, h2, h3, h4, h5, h6]
export const noElement = -1
/** Deeper quotations and lists are shown at this depth. */
const depthMax = 6

export class Outline {
  /** The innermost list item, and of a list item the next outer one. */
  readonly item: Int32Array
  readonly outerItem: Int32Array
  /** The innermost list. */
  readonly list: Int32Array
  readonly quotes: Uint8Array
  /** The innermost table that has data; not one that arranges the page. */
  readonly table: Int32Array
  readonly row: Int32Array
  readonly cell: Int32Array
  readonly pre: Int32Array
  /** From 1 to 6; 0 outside of headings. */
  readonly heading: Uint8Array
  /** Of list items. */
  readonly #itemDepth: Uint8Array

  constructor({ elements, blocks }: PageScan) {
    const { count, parent, tag } = elements
    const column = (): Int32Array => new Int32Array(count).fill(noElement)
    this.item = column()
    this.outerItem = column()
    this.list = column()
    this.table = column()
    this.row = column()
    this.cell = column()
    this.pre = column()
    this.quotes = new Uint8Array(count)
    this.heading = new Uint8Array(count)
    this.#itemDepth = new Uint8Array(count)
    const isData = dataTables(elements, blocks)
    for (let element = 1; element < count; element++) {
      const above = parent[element]
      const kind = tag[element]
      this.item[element] = kind === li ? element : this.item[above]
      if (kind === li) this.#placeItem(element, this.item[above])
      this.list[element] = kind === ul || kind === ol ? element : this.list[above]
      const isTable = kind === table && isData[element] === 1
      const isOther = kind === table && isData[element] === 0
      this.table[element] = isTable ? element : isOther ? noElement : this.table[above]
      this.row[element] = kind === tr ? element : kind === table ? noElement : this.row[above]
      const isCell = kind === td || kind === th || kind === caption
      this.cell[element] = isCell ? element : kind === table ? noElement : this.cell[above]
      this.pre[element] = kind === pre || kind === listing ? element : this.pre[above]
      this.quotes[element] = Math.min(depthMax, this.quotes[above] + (kind === blockquote ? 1 : 0))
      this.heading[element] = headings.includes(kind) ? headings.indexOf(kind) + 1 : this.heading[above]
    }
  }

  /** An item that is too deep stands beside the one that it is in. */
  #placeItem(item: number, outer: number): void {
    const depth = outer === noElement ? 0 : this.#itemDepth[outer]
    const isDeep = depth === depthMax
    this.outerItem[item] = isDeep ? this.outerItem[outer] : outer
    this.#itemDepth[item] = isDeep ? depth : depth + 1
  }

  /** The list items around an element, outermost first. */
  itemsOf(element: number): number[] {
    const items: number[] = []
    for (let item = this.item[element]; item !== noElement; item = this.outerItem[item]) items.unshift(item)
    return items
  }
}

/** Marks tables with at least two rows of at least two cells, without tables in them and with about one block in a cell. */
function dataTables(elements: PageScan['elements'], blocks: PageScan['blocks']): Uint8Array {
  const { count, parent, tag } = elements
  const isData = new Uint8Array(count)
  const tableOf = new Int32Array(count).fill(noElement)
  const rowOf = new Int32Array(count).fill(noElement)
  const cells = new Int32Array(count)
  const rows = new Int32Array(count)
  const inCells = new Int32Array(count)
  const hasTable = new Uint8Array(count)
  for (let element = 1; element < count; element++) {
    const above = parent[element]
    tableOf[element] = tag[element] === table ? element : tableOf[above]
    rowOf[element] = tag[element] === tr ? element : tag[element] === table ? noElement : rowOf[above]
    if (tag[element] === table && tableOf[above] !== noElement) hasTable[tableOf[above]] = 1
    const isCell = tag[element] === td || tag[element] === th
    if (!isCell || tableOf[element] === noElement || rowOf[element] === noElement) continue
    inCells[tableOf[element]]++
    if (++cells[rowOf[element]] === 2) rows[tableOf[element]]++
  }
  for (let element = 1; element < count; element++) {
    if (tag[element] !== table || rows[element] < 2 || hasTable[element] === 1) continue
    if (elements.blocks[element] <= 3 * inCells[element] && blocks.count > 0) isData[element] = 1
  }
  return isData
}
