/**
 * Title, author, dates, description, language and licence of a page, from JSON-LD, Open Graph, meta elements and microdata, in that
 * order. Values of other types than expected and JSON that cannot be parsed are ignored.
 */
import { resolveBase, resolveLink } from '../html/resolution.ts'
import { writtenSeconds } from '../html/written-date.ts'
import type { PageMetadata } from '../../engine/user-code/page-handler.ts'
import type { HeadReader } from './head-reader.ts'

export type { PageMetadata }

type Json = Readonly<Record<string, unknown>>

/** Objects of JSON-LD that are looked at. */
const objectsMax = 2000
const valueCharsMax = 2000
/** The page's own object is of one of these types; the others are about its site or its path. */
const aboutPage =
  /Article|Posting|Page\b|Product|Recipe|Report|Course|Event|Video|Book|Movie|Question|SoftwareApplication|CreativeWork|Dataset/

export function metadataOf(head: HeadReader, heading: string | undefined, url: string): PageMetadata {
  const objects = pageObjects(head)
  const base = resolveBase(head.base, url)
  const ofJson = (...names: string[]): string | undefined => firstText(objects, names)
  const ofMeta = (...names: string[]): string | undefined => {
    for (const name of names) {
      const value = cleaned(head.metas.get(name))
      if (value !== undefined) return value
    }
    return undefined
  }
  return {
    title: titleOf(head, ofJson('headline'), ofMeta('og:title', 'twitter:title'), heading),
    author:
      notAddress(ofJson('author', 'creator')) ??
      notAddress(ofMeta('author', 'article:author', 'dc.creator', 'parsely-author', 'sailthru.author')),
    publishedAt: dateOf([
      ofJson('datePublished', 'uploadDate', 'dateCreated'),
      ofMeta(
        'article:published_time',
        'datepublished',
        'og:published_time',
        'pubdate',
        'publish-date',
        'date',
        'dc.date',
        'dc.date.issued',
        'parsely-pub-date',
        'sailthru.date',
      ),
      ...head.times,
    ]),
    modifiedAt: dateOf([
      ofJson('dateModified'),
      ofMeta('article:modified_time', 'datemodified', 'og:updated_time', 'last-modified', 'dc.date.modified'),
    ]),
    description:
      ofMeta('og:description', 'description', 'twitter:description', 'dc.description') ??
      ofJson('description'),
    language:
      languageTag(head.language) ??
      languageTag(ofMeta('content-language', 'og:locale', 'language')) ??
      languageTag(ofJson('inLanguage')),
    license: licenceOf(head, ofJson('license'), base),
  }
}

function titleOf(
  { title }: HeadReader,
  headline: string | undefined,
  openGraph: string | undefined,
  heading: string | undefined,
): string | undefined {
  // A title often ends in the name of the site, and the heading may be the site's logo: what two of them share is the title.
  const whole = cleaned(title)
  if (heading !== undefined && whole?.includes(heading) === true && heading.length > 10) return heading
  return headline ?? openGraph ?? whole ?? heading
}

function licenceOf(
  { links, metas }: HeadReader,
  ofJson: string | undefined,
  base: string,
): string | undefined {
  for (const { rel, href } of links) {
    if (/\blicen[sc]e\b/.test(rel)) return resolveLink(href, base) ?? href
  }
  return ofJson ?? cleaned(metas.get('dc.rights.license') ?? metas.get('dcterms.license'))
}

/** The objects of the page's JSON-LD, those about the page itself first. */
function pageObjects({ json }: HeadReader): Json[] {
  const found: Json[] = []
  for (const text of json) {
    let parsed: unknown
    try {
      // Some pages put the JSON into a comment or CDATA section.
      parsed = JSON.parse(text.replace(/^\s*(?:<!--|\/\*.*?\*\/|<!\[CDATA\[)|(?:-->|\]\]>)\s*$/g, ''))
    } catch {
      continue
    }
    const waiting: unknown[] = [parsed]
    for (
      let next = waiting.shift();
      next !== undefined && found.length < objectsMax;
      next = waiting.shift()
    ) {
      if (Array.isArray(next)) waiting.push(...next.slice(0, objectsMax))
      else if (isObject(next)) {
        found.push(next)
        for (const name of ['@graph', 'mainEntity', 'mainEntityOfPage'])
          if (next[name] !== undefined) waiting.push(next[name])
      }
    }
  }
  const isAboutPage = (object: Json): boolean => aboutPage.test(String(object['@type']))
  return [...found.filter(isAboutPage), ...found.filter((object) => !isAboutPage(object))]
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function firstText(objects: readonly Json[], names: readonly string[]): string | undefined {
  for (const name of names) {
    for (const object of objects) {
      const text = textOf(object[name])
      if (text !== undefined) return text
    }
  }
  return undefined
}

/** A text, the name or address of an object, or several of them. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return cleaned(value)
  if (Array.isArray(value)) {
    const texts = value.slice(0, 10).flatMap((each) => (Array.isArray(each) ? [] : (textOf(each) ?? [])))
    return texts.length === 0 ? undefined : [...new Set(texts)].join(', ')
  }
  if (!isObject(value)) return undefined
  for (const name of ['name', '@value', 'url', '@id']) {
    if (typeof value[name] === 'string') return cleaned(value[name])
  }
  return undefined
}

function cleaned(text: string | undefined): string | undefined {
  const clean = text?.slice(0, valueCharsMax).replace(/\s+/g, ' ').trim()
  return clean === undefined || clean === '' ? undefined : clean
}

function notAddress(text: string | undefined): string | undefined {
  return text === undefined || /^(?:https?:)?\/\//.test(text) ? undefined : text
}

function languageTag(text: string | undefined): string | undefined {
  return /^[a-z]{2,3}(?:[-_][a-z0-9]{2,8}){0,3}$/i.test(text ?? '') ? text!.replaceAll('_', '-') : undefined
}

/** The first of these that is a date. */
function dateOf(written: readonly (string | undefined)[]): string | undefined {
  for (const text of written) {
    const seconds = text === undefined ? undefined : writtenSeconds(text)
    if (seconds === undefined || seconds < 0) continue
    const day = dayText(Math.floor(seconds / 86_400))
    return /\d:\d/.test(text!) ? `${day}T${timeText(seconds % 86_400)}Z` : day
  }
  return undefined
}

/** The civil date of a day since 1970 (Hinnant's algorithm). */
function dayText(days: number): string {
  const shifted = days + 719_468
  const era = Math.floor(shifted / 146_097)
  const ofEra = shifted - era * 146_097
  const yearOfEra = Math.floor(
    (ofEra - Math.floor(ofEra / 1460) + Math.floor(ofEra / 36_524) - Math.floor(ofEra / 146_096)) / 365,
  )
  const ofYear = ofEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const shiftedMonth = Math.floor((5 * ofYear + 2) / 153)
  const day = ofYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`
}

function timeText(seconds: number): string {
  return [seconds / 3600, (seconds % 3600) / 60, seconds % 60].map((part) => two(Math.floor(part))).join(':')
}

function two(number: number): string {
  return String(number).padStart(2, '0')
}
