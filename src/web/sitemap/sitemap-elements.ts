/**
 * Reads sitemaps, sitemap indexes, RSS and Atom element by element. Prefixes and namespaces are ignored, and
 * a field counts only as a direct child of its entry: the `loc` of an image is not the `loc` of the page.
 *
 * Generators' mistakes have limited effect: of an entry with several `loc` each counts, one without still has
 * its alternates, and a `loc` outside any entry is an entry of its own.
 */
import type { Sitemap } from './sitemap.ts'
import type { SitemapFields, SitemapList } from './sitemap-list.ts'
import { attributeOf, decodedText, type XmlListener } from './xml-scanner.ts'

const kinds: Record<string, Sitemap['kind']> = {
  urlset: 'urlset',
  sitemapindex: 'index',
  rss: 'feed',
  rdf: 'feed',
  feed: 'feed',
}
const entryNames: Record<Sitemap['kind'], readonly string[]> = {
  urlset: ['url', 'sitemap'],
  index: ['url', 'sitemap'],
  feed: ['item', 'entry'],
  text: [],
}
/** Fields by name. If an entry has several of a kind, the first with a value counts. */
const fieldNames: Record<string, keyof Fields> = {
  loc: 'loc',
  link: 'link',
  guid: 'guid',
  lastmod: 'lastModified',
  updated: 'lastModified',
  modified: 'lastModified',
  pubdate: 'published',
  published: 'published',
  date: 'published',
  changefreq: 'changeFrequency',
  priority: 'priority',
}
const depthMax = 64
const fieldCharsMax = 8192
/** Maximum number per entry; further ones are reported before the entry ends, without its later fields. */
const locsMax = 1000

interface Fields {
  loc?: string
  link?: string
  guid?: string
  lastModified?: string
  published?: string
  changeFrequency?: string
  priority?: string
}

interface Entry {
  readonly name: string
  readonly depth: number
  readonly fields: Fields
  /** In document order. */
  readonly locs: string[]
  readonly alternates: string[]
}

export class SitemapElements implements XmlListener {
  kind: Sitemap['kind'] = 'urlset'
  readonly #list: SitemapList
  /** The open elements, by name. */
  readonly #open: string[] = []
  #entry: Entry | undefined
  /** The current field: its decoded part, and the part as written. */
  #field: keyof Fields | undefined
  #decoded = ''
  #written = ''

  constructor(list: SitemapList) {
    this.#list = list
  }

  open(name: string, attributes: string): void {
    // A tag within a field: the field's end tag is missing.
    if (this.#field !== undefined) {
      this.#closeField()
      this.#open.length = Math.min(this.#open.length, this.#entry!.depth)
    }
    if (this.#open.length === 0 && Object.hasOwn(kinds, name)) this.kind = kinds[name]
    if (entryNames[this.kind].includes(name)) {
      this.end()
      this.#begin(name, this.#open.length + 1)
    } else if (name === 'loc' && this.#entry === undefined && this.#open.length === 1) {
      this.#begin(this.kind === 'index' ? 'sitemap' : 'url', 1)
      this.#openField(name, attributes)
    } else if (this.#entry?.depth === this.#open.length) this.#openField(name, attributes)
    if (this.#open.length < depthMax) this.#open.push(name)
  }

  #begin(name: string, depth: number): void {
    this.#entry = { name, depth, fields: {}, locs: [], alternates: [] }
  }

  close(name: string): void {
    const depth = this.#open.lastIndexOf(name)
    if (depth < 0) return
    this.#open.length = depth
    if (this.#entry === undefined || depth > this.#entry.depth) return
    this.#closeField()
    if (depth < this.#entry.depth) this.end()
  }

  text(written: string): void {
    if (this.#field !== undefined) this.#written += written.slice(0, fieldCharsMax)
    if (this.#written.length > fieldCharsMax) this.#field = undefined
  }

  cdata(text: string): void {
    if (this.#field === undefined) return
    this.#decoded += decodedText(this.#written) + text.slice(0, fieldCharsMax)
    this.#written = ''
    if (this.#decoded.length > fieldCharsMax) this.#field = undefined
  }

  /** Ends the entry, with or without an end tag. */
  end(): void {
    const entry = this.#entry
    this.#entry = undefined
    this.#field = undefined
    if (entry === undefined) return
    const { link, guid } = entry.fields
    const { locs, alternates } = entry
    const address = link ?? (guid?.startsWith('http') === true ? guid : undefined)
    if (locs.length === 0 && address !== undefined) locs.push(address)
    if (locs.length === 0 && alternates.length > 0) locs.push(alternates[0])
    this.#tell(entry)
  }

  #tell({ name, fields, locs, alternates }: Entry): void {
    const { published, lastModified = published, changeFrequency, priority } = fields
    const about = {
      ...(lastModified !== undefined && { lastModified }),
      ...(changeFrequency !== undefined && { changeFrequency }),
      ...priorityOf(priority),
    }
    for (const address of locs) {
      if (name === 'sitemap') this.#list.addSitemap(address, lastModified)
      else this.#list.add(address, about, alternates)
    }
    locs.length = 0
  }

  #openField(name: string, attributes: string): void {
    const href = name === 'link' ? attributeOf(attributes, 'href') : undefined
    if (href !== undefined) return this.#takeLink(href.trim(), attributeOf(attributes, 'rel') ?? 'alternate')
    if (!Object.hasOwn(fieldNames, name)) return
    // `link` without an address is a field of RSS only, and a guid may be any text.
    if (name === 'link' && this.kind !== 'feed') return
    if (name === 'guid' && attributeOf(attributes, 'ispermalink')?.toLowerCase() === 'false') return
    this.#field = fieldNames[name]
    this.#decoded = this.#written = ''
  }

  #takeLink(href: string, rel: string): void {
    if (rel.toLowerCase() !== 'alternate' || href === '') return
    if (this.kind === 'feed') this.#entry!.fields.link ??= href
    else if (this.#entry!.alternates.length < 1000) this.#entry!.alternates.push(href)
  }

  #closeField(): void {
    const field = this.#field
    if (field === undefined) return
    this.#field = undefined
    const value = (this.#decoded + decodedText(this.#written)).trim()
    // Copied: a slice would keep its piece of the document alive.
    if (value === '') return
    const copied = Buffer.from(value).toString()
    const entry = this.#entry!
    if (field !== 'loc') entry.fields[field] ??= copied
    else if (entry.locs.push(copied) === locsMax) this.#tell(entry)
  }
}

function priorityOf(written: string | undefined): SitemapFields {
  const priority = written === undefined ? Number.NaN : Number(written)
  return priority >= 0 && priority <= 1 ? { priority } : {}
}
