/** The main content as plain text: blocks separated by blank lines, items of a list and rows of a table by line breaks. */
import { blockText } from './block-text.ts'
import { noElement, Outline } from './outline.ts'
import type { PageScan } from './page-scan.ts'

export function textOf(scan: PageScan, taken: Uint8Array): string {
  const outline = new Outline(scan)
  const { blocks } = scan
  let text = ''
  let last = noElement
  for (let block = 0; block < blocks.count; block++) {
    if (taken[block] === 0 || blocks.columns.chars[block] === 0) continue
    const piece = blockText(scan, block)
    if (piece === '') continue
    const element = blocks.columns.element[block]
    if (last !== noElement) text += separator(outline, last, element)
    text += piece
    last = element
  }
  return text
}

function separator(outline: Outline, one: number, other: number): string {
  if (outline.row[one] !== noElement && outline.table[one] !== noElement) {
    if (outline.cell[one] === outline.cell[other]) return ' '
    if (outline.row[one] === outline.row[other]) return '\t'
    if (outline.table[one] === outline.table[other]) return '\n'
  }
  if (outline.pre[one] !== noElement && outline.pre[one] === outline.pre[other]) return '\n'
  const isList = outline.list[one] !== noElement && outline.list[one] === outline.list[other]
  return isList ? '\n' : '\n\n'
}
