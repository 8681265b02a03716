/** The contents of marks as strings: for the crawl (fetch/page-reader.ts) and for the library (page.ts). */
import type { HtmlText } from '../charset/html-text.ts'
import { anchorMark, baseMark, miningMark, refreshMark, robotsMark, titleMark } from './marks.ts'
import type { Marks } from './marks.ts'
import { parseRefresh } from './meta-refresh.ts'
import { attributeText, innerText, plainText } from './text.ts'

/** The value of a mark's attribute. */
export function markValue(source: HtmlText, { valueStart, valueEnd }: Marks, mark: number): string {
  return attributeText(source, valueStart[mark], valueEnd[mark])
}

/** The href of the first base element, which may come after the first link. */
export function baseHref(source: HtmlText, marks: Marks): string | undefined {
  const { kind, count } = marks
  for (let mark = 0; mark < count; mark++) {
    if (kind[mark] === baseMark) return markValue(source, marks, mark)
  }
  return undefined
}

/** The contents of the robots meta elements; undefined if there are none. */
export function robotsMetas(source: HtmlText, marks: Marks): string[] | undefined {
  const { kind, count } = marks
  let metas: string[] | undefined
  for (let mark = 0; mark < count; mark++) {
    if (kind[mark] === robotsMark) (metas ??= []).push(markValue(source, marks, mark))
  }
  return metas
}

/** Names and contents of the meta elements of TDMRep. */
export function miningMetas(source: HtmlText, marks: Marks): [name: string, content: string][] {
  const { kind, count, textStart, textEnd } = marks
  const metas: [string, string][] = []
  for (let mark = 0; mark < count; mark++) {
    if (kind[mark] !== miningMark) continue
    const name = attributeText(source, textStart[mark], textEnd[mark]).trim().toLowerCase()
    metas.push([name, markValue(source, marks, mark)])
  }
  return metas
}

/** The first title, at most this many bytes of it; empty if there is none. */
export function titleText(source: HtmlText, marks: Marks, bytesMax = Infinity): string {
  const { kind, count, textStart, textEnd, isXml } = marks
  for (let mark = 0; mark < count; mark++) {
    if (kind[mark] !== titleMark) continue
    const start = textStart[mark]
    return plainText(source, start, Math.min(textEnd[mark], start + bytesMax), isXml)
  }
  return ''
}

/** The target of a mark, unresolved; undefined for a refresh without a target. */
export function markHref(source: HtmlText, marks: Marks, mark: number): string | undefined {
  const value = markValue(source, marks, mark)
  return marks.kind[mark] === refreshMark ? parseRefresh(value)?.target : value
}

/** The text of a link; empty if it is not an anchor. */
export function anchorText(source: HtmlText, marks: Marks, mark: number): string {
  const { kind, textStart, textEnd, isXml } = marks
  return kind[mark] === anchorMark ? innerText(source, textStart[mark], textEnd[mark], undefined, isXml) : ''
}
