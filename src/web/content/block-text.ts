/** The text of a block as a reader sees it: references decoded, white space collapsed except in preformatted text. */
import { decodeReferences } from '../html/character-references.ts'
import { charClasses, wordChar } from './characters.ts'
import { inPre } from './element-flags.ts'
import { breakEvent, gapEvent, textEvent } from './page-tables.ts'
import type { PageScan } from './page-scan.ts'

export function decoded(text: string): string {
  const plain = text.includes('&') ? decodeReferences(text, false) : text
  return plain.includes('\0') ? plain.replaceAll('\0', '\uFFFD') : plain
}

/** The last event of a block, exclusive. */
export function eventsEnd({ blocks, events }: PageScan, block: number): number {
  return block + 1 < blocks.count ? blocks.columns.events[block + 1] : events.length
}

export function isPreformatted({ elements, blocks }: PageScan, block: number): boolean {
  return (elements.flags[blocks.columns.element[block]] & inPre) !== 0
}

export function blockText(scan: PageScan, block: number): string {
  const { html, blocks, events } = scan
  const isPre = isPreformatted(scan, block)
  let text = ''
  let isGap = false
  for (let at = blocks.columns.events[block]; at < eventsEnd(scan, block); at += 3) {
    const kind = events.numbers[at]
    if (kind === textEvent) {
      const piece = decoded(html.slice(events.numbers[at + 1], events.numbers[at + 2]))
      if (isGap && runTogether(text, piece)) text += ' '
      text += piece
      isGap = false
    } else if (kind === breakEvent) text += '\n'
    else if (kind === gapEvent) isGap = true
  }
  return isPre ? withoutOuterLines(text) : collapsed(text)
}

/** Whether two texts would make one word. */
export function runTogether(before: string, after: string): boolean {
  return isWordCharAt(before, before.length - 1) && isWordCharAt(after, 0)
}

function isWordCharAt(text: string, at: number): boolean {
  return (charClasses[text.charCodeAt(at)] & wordChar) !== 0
}

/** Line breaks stay. The source's own line breaks were white space already, since only `br` is written as one. */
function collapsed(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

function withoutOuterLines(text: string): string {
  return text.replace(/^(?:[ \t]*\r?\n)+/, '').trimEnd()
}
