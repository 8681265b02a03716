/** The links of a page according to the standard's tree: the reference for the scanner. */
import { defaultTreeAdapter, html, parse } from 'parse5'
import type { DefaultTreeAdapterTypes as Tree } from 'parse5'
import { decodeHtml } from '../charset/html-text.ts'
import { anchorMark, areaMark, baseMark, frameMark, titleMark } from './marks.ts'
import { HtmlScanner } from './scanner.ts'
import { attributeText, innerText, plainText } from './text.ts'

export interface FoundLink {
  readonly kind: number
  readonly value: string
  readonly anchor: string
}

export interface FoundPage {
  readonly links: FoundLink[]
  readonly title: string
}

const kinds: Record<string, [number, string]> = {
  a: [anchorMark, 'href'],
  area: [areaMark, 'href'],
  base: [baseMark, 'href'],
  frame: [frameMark, 'src'],
  iframe: [frameMark, 'src'],
}

export function treePage(page: string): FoundPage {
  const links: FoundLink[] = []
  let title: string | undefined
  const open: Tree.Node[] = [parse(page, { scriptingEnabled: false })]
  for (let node = open.pop(); node; node = open.pop()) {
    if (defaultTreeAdapter.isElementNode(node)) {
      const [kind, name] = kinds[node.tagName] ?? [0, '']
      const inHtml = node.namespaceURI === html.NS.HTML
      const value = attributeOf(node, name) ?? (inHtml ? undefined : attributeOf(node, 'href', 'xlink'))
      if (value !== undefined && (inHtml || node.tagName === 'a'))
        links.push({ kind, value, anchor: textOf(node) })
      if (node.tagName === 'title' && inHtml) title ??= textOf(node)
    }
    if ('childNodes' in node) open.push(...node.childNodes.toReversed())
  }
  return { links, title: title ?? '' }
}

function attributeOf({ attrs }: Tree.Element, name: string, prefix?: string): string | undefined {
  return attrs.find((attr) => attr.name === name && attr.prefix === prefix)?.value
}

function textOf(element: Tree.ParentNode): string {
  let text = ''
  const open: Tree.Node[] = [element]
  for (let node = open.pop(); node; node = open.pop()) {
    if (defaultTreeAdapter.isTextNode(node)) text += node.value
    else if ('childNodes' in node && !['script', 'style'].includes(node.nodeName)) {
      for (const child of node.childNodes.toReversed()) open.push(child)
    }
  }
  return text.replace(/[\t\n\f\r ]+/g, ' ').trim()
}

const scanner = new HtmlScanner()

export function scannedPage(page: string): FoundPage {
  const source = decodeHtml(Buffer.from(page), 'text/html; charset=utf-8')
  const marks = scanner.scan(source.bytes)
  const links: FoundLink[] = []
  let title = ''
  for (let mark = 0; mark < marks.count; mark++) {
    const kind = marks.kind[mark]
    if (kind === titleMark) title = plainText(source, marks.textStart[mark], marks.textEnd[mark])
    if (![anchorMark, areaMark, baseMark, frameMark].includes(kind)) continue
    links.push({
      kind,
      value: attributeText(source, marks.valueStart[mark], marks.valueEnd[mark]),
      anchor: kind === anchorMark ? innerText(source, marks.textStart[mark], marks.textEnd[mark]) : '',
    })
  }
  return { links, title }
}

/** The set of links, sorted: the tree repeats some anchors, split by misnested tags. */
export function linkSet(page: FoundPage): string[] {
  return [...new Set(page.links.map(({ kind, value }) => `${kind} ${value}`))].toSorted()
}
