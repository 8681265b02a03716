/**
 * The files that a page needs to look as it does: style sheets, images, scripts, fonts and media. They are found in elements, in
 * `srcset`, and in the style sheets of the page itself (`style` elements and attributes). Frames are links, not requisites. No
 * script is run: files that only a script names are not found, except by the `data-src` that scripts for late loading use.
 */
import { createRequire } from 'node:module'
import type * as HtmlParser from 'htmlparser2'
import { resolveBase, withEncodedQuery } from '../../../web/html/resolution.ts'
import { withoutForeignUser } from '../../../web/url/url-user.ts'
import { cssUrls } from './css-urls.ts'
import { srcsetUrls } from './srcset.ts'
import { isUrl } from '../../../lib/host.ts'

interface RequisiteList {
  /** Absolute http(s) URLs without fragments, each once, in the order of the page. */
  readonly urls: readonly string[]
  /** Whether some were left out, because of their number or length. */
  readonly isCut: boolean
}

/** Requisites of one page or style sheet. */
const perFileMax = 2000
/** Servers refuse longer URLs. */
const urlCharsMax = 8192

/** Attributes whose value is a URL, by element. */
const urlAttributes = table({
  // The parser reads `image` as `img`, as HTML does outside of SVG.
  img: ['src', 'data-src', 'href', 'xlink:href'],
  source: ['src', 'data-src'],
  script: ['src', 'href', 'xlink:href'],
  video: ['src', 'poster'],
  audio: ['src'],
  track: ['src'],
  embed: ['src'],
  object: ['data'],
  input: ['src'],
  body: ['background'],
  table: ['background'],
  td: ['background'],
  th: ['background'],
  use: ['href', 'xlink:href'],
  feimage: ['href', 'xlink:href'],
})
const srcsetAttributes = table({
  img: ['srcset', 'data-srcset'],
  source: ['srcset', 'data-srcset'],
  link: ['imagesrcset'],
})
/** Links to files that a browser loads with the page. */
const loadedRel =
  /(?:^|\s)(?:stylesheet|icon|apple-touch-icon(?:-precomposed)?|mask-icon|preload|modulepreload|manifest)(?:\s|$)/i

/**
 * Keeps no stack of open elements: it would be searched at each end tag, in quadratic time for a page of start tags and other end
 * tags. Only the end of a style sheet matters, which has no elements inside.
 */
function flatParser(handler: Partial<HtmlParser.Handler>): HtmlParser.Parser {
  FlatParser ??= flatParserClass(createRequire(import.meta.url)('htmlparser2') as typeof HtmlParser)
  return new FlatParser(handler)
}

/** Loaded with the first page whose requisites are wanted: the package takes 21 ms. */
let FlatParser: typeof HtmlParser.Parser | undefined

const flatParserClass = ({ Parser }: typeof HtmlParser) =>
  class extends Parser {
    protected override isVoidElement(name: string): boolean {
      return name !== 'style'
    }
  }

/** The requisites of an HTML page. `encoding`: of the page, for the queries of its URLs. */
export function pageRequisites(html: string, url: string, encoding = 'utf-8'): RequisiteList {
  const found: string[] = []
  let base: string | undefined
  let style: string | undefined
  let isCut = false
  const css = (text: string): void => {
    if (!text.includes('(') && !text.includes('@')) return
    const read = cssUrls(text, perFileMax)
    isCut ||= read.isCut
    found.push(...read.urls)
  }
  const parser = flatParser({
    onopentag(name, attributes) {
      addReferences(found, name, attributes)
      if (name === 'base') base ??= attributes.href
      else if (name === 'style') style = ''
      if (attributes.style !== undefined) css(attributes.style)
    },
    ontext(text) {
      if (style !== undefined) style += text
    },
    onclosetag(name) {
      if (name !== 'style' || style === undefined) return
      css(style)
      style = undefined
    },
  })
  parser.end(html)
  const list = resolved(found, resolveBase(base, url), url, encoding)
  return { urls: list.urls, isCut: isCut || list.isCut }
}

/** The files that an element names. */
function addReferences(
  found: string[],
  name: string,
  attributes: Readonly<Record<string, string | undefined>>,
): void {
  const add = (reference: string | undefined): void => {
    if (reference !== undefined) found.push(reference)
  }
  for (const attribute of urlAttributes.get(name) ?? []) add(attributes[attribute])
  for (const attribute of srcsetAttributes.get(name) ?? []) {
    // One by one: a call has room for about 100,000 arguments.
    for (const candidate of srcsetUrls(attributes[attribute] ?? '')) found.push(candidate)
  }
  if (name === 'link' && loadedRel.test(attributes.rel ?? '')) add(attributes.href)
}

/** The requisites of a style sheet with this URL. */
export function styleRequisites(css: string, url: string): RequisiteList {
  const { urls, isCut } = cssUrls(css, perFileMax)
  const list = resolved(urls, url, url, 'utf-8')
  return { urls: list.urls, isCut: isCut || list.isCut }
}

function resolved(found: readonly string[], base: string, own: string, encoding: string): RequisiteList {
  const urls = new Set<string>()
  const self = withoutFragment(own)
  // Relative URLs would be too long, and the parser would copy the base for each of them.
  let isCut = base.length > urlCharsMax
  const usedBase = isCut ? undefined : base
  for (const text of found) {
    const reference = text.trim()
    // `#id` is a part of the page itself, and `data:` has its content within.
    if (reference === '' || reference.startsWith('#') || /^data:/i.test(reference)) continue
    const target = absolute(
      encoding === 'utf-8' ? reference : withEncodedQuery(reference, encoding),
      usedBase,
    )
    if (target === undefined) continue
    const url = withoutFragment(withoutForeignUser(target, own))
    if (url === self || urls.has(url)) continue
    if (url.length > urlCharsMax || urls.size >= perFileMax) isCut = true
    else urls.add(url)
  }
  return { urls: [...urls], isCut }
}

/** A page may name an element `constructor`, which every object has. */
function table(rows: Readonly<Record<string, readonly string[]>>): ReadonlyMap<string, readonly string[]> {
  return new Map(Object.entries(rows))
}

function absolute(reference: string, base: string | undefined): string | undefined {
  if (!isUrl(reference, base)) return undefined
  const { protocol, href } = new URL(reference, base)
  return protocol === 'http:' || protocol === 'https:' ? href : undefined
}

function withoutFragment(url: string): string {
  const hash = url.indexOf('#')
  return hash < 0 ? url : url.slice(0, hash)
}
