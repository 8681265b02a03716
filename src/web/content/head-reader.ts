/** Collects what a page says about itself while it is read: meta and link elements, title, JSON-LD, times. */
import { decoded } from './block-text.ts'
import type { HeadListener } from './page-scan.ts'
import { slotOf } from './tags.ts'

const slot = {
  name: slotOf('name'),
  property: slotOf('property'),
  itemprop: slotOf('itemprop'),
  httpEquiv: slotOf('http-equiv'),
  content: slotOf('content'),
  rel: slotOf('rel'),
  href: slotOf('href'),
  type: slotOf('type'),
  datetime: slotOf('datetime'),
  lang: slotOf('lang'),
}
const creativeCommons = 'creativecommons.org/'
/** Pages may repeat these elements without end. */
const entriesMax = 500
const timesMax = 20
const valueCharsMax = 5000
const jsonCharsMax = 2_000_000

export class HeadReader implements HeadListener {
  html = ''
  /** Of the first title. */
  title: string | undefined
  language: string | undefined
  base: string | undefined
  /** Contents of meta elements by lower-cased name, property or itemprop; the first one counts. */
  readonly metas = new Map<string, string>()
  /** Links with one of the rel values that are read: license, canonical, author. A link to a Creative Commons licence counts as one. */
  readonly links: { readonly rel: string; readonly href: string }[] = []
  readonly times: string[] = []
  /** Texts of JSON-LD scripts. */
  readonly json: string[] = []
  #jsonChars = 0

  clear(html: string): void {
    this.html = html
    this.title = this.language = this.base = undefined
    this.metas.clear()
    this.links.length = this.times.length = this.json.length = this.#jsonChars = 0
  }

  tag(name: string, attribute: (slot: number) => string | undefined): void {
    const value = (of: number): string | undefined => {
      const text = attribute(of)
      return text === undefined ? undefined : decoded(text.slice(0, valueCharsMax)).trim()
    }
    switch (name) {
      case 'meta':
        this.#meta(value)
        break
      case 'a':
        if (attribute(slot.rel) !== undefined) this.#link(value)
        else if (attribute(slot.href)?.includes(creativeCommons)) this.#add('license', value(slot.href))
        break
      case 'link':
        this.#link(value)
        break
      case 'time':
        if (this.times.length < timesMax) this.times.push(value(slot.datetime) ?? '')
        break
      case 'base':
        this.base ??= value(slot.href)
        break
      case 'html':
        this.language ??= value(slot.lang)
        break
      default:
    }
  }

  raw(name: string, start: number, end: number, attribute: (slot: number) => string | undefined): void {
    if (name === 'title') {
      this.title ??= decoded(this.html.slice(start, Math.min(end, start + valueCharsMax)))
        .replace(/\s+/g, ' ')
        .trim()
    } else if (name === 'script' && attribute(slot.type)?.toLowerCase().includes('ld+json')) {
      this.#jsonChars += end - start
      if (this.#jsonChars <= jsonCharsMax) this.json.push(this.html.slice(start, end))
    }
  }

  #meta(value: (of: number) => string | undefined): void {
    const content = value(slot.content)
    if (content === undefined || content === '' || this.metas.size >= entriesMax) return
    const names = [value(slot.name), value(slot.property), value(slot.itemprop), value(slot.httpEquiv)]
    for (const name of names) {
      if (name === undefined || name === '') continue
      const key = name.toLowerCase()
      if (!this.metas.has(key)) this.metas.set(key, content)
    }
  }

  #link(value: (of: number) => string | undefined): void {
    const rel = value(slot.rel)?.toLowerCase()
    if (rel === undefined || !/license|canonical|author/.test(rel)) return
    this.#add(rel, value(slot.href))
  }

  #add(rel: string, href: string | undefined): void {
    if (href !== undefined && href !== '' && this.links.length < entriesMax) this.links.push({ rel, href })
  }
}
