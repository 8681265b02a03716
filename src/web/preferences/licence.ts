/**
 * An RSL 1.0 licence: for paths, usages that it permits and prohibits. A crawl buys nothing and obtains no licences. So a usage counts as
 * prohibited if it costs money, needs a licence from a server, or is for some users or countries only.
 *
 *   <content url="/docs/*"><license><permits type="usage">search</permits><payment type="free"/></license></content>
 *
 * A content element may have several licences, to choose from. What free ones permit is permitted; usages that none of them lists are not.
 */
import { matches, readPath, readPattern, type RobotsPattern } from '../robots/robots-pattern.ts'
import { XmlScanner } from '../sitemap/xml-scanner.ts'
import { freePayments, licencedUsers } from './known-signals.ts'
import { statement } from './statement.ts'

/** More elements are not read, and no more words of one. */
const termsMax = 1000
const usagesMax = 50

interface Terms {
  readonly pattern: RobotsPattern
  /** Usages that free licences list; undefined if no free licence lists any. */
  permits: Set<string> | undefined
  readonly prohibits: Set<string>
  /** Whether a free licence is for all usages. */
  isOpen: boolean
}

export class Licence {
  readonly #terms: readonly Terms[]

  /** `origin`: of the site that it is for. Anything but a licence says nothing. */
  constructor(xml: string, origin: string) {
    const reader = new LicenceReader(origin)
    const scanner = new XmlScanner(reader)
    scanner.push(xml)
    scanner.end()
    this.#terms = reader.terms.toSorted((a, b) => b.pattern.octets - a.pattern.octets)
  }

  /** Of the terms for the longest patterns that match. */
  statementsOf(pathAndQuery: string): string[] {
    const path = readPath(pathAndQuery)
    const first = this.#terms.findIndex(({ pattern }) => matches(pattern, path))
    const found: string[] = []
    for (const terms of first < 0 ? [] : this.#terms.slice(first)) {
      if (terms.pattern.octets < this.#terms[first].pattern.octets) break
      if (matches(terms.pattern, path)) found.push(...statementsIn(terms))
    }
    return found
  }
}

function statementsIn({ permits, prohibits, isOpen }: Terms): string[] {
  return [
    ...(isOpen ? [statement('licence permits', 'all')] : []),
    ...(permits !== undefined && !isOpen ? [statement('licence permits only', [...permits].join(' '))] : []),
    ...(prohibits.size === 0 ? [] : [statement('licence prohibits', [...prohibits].join(' '))]),
  ]
}

class LicenceReader {
  readonly #origin: string
  readonly terms: Terms[] = []
  /** Of the content element that is being read; undefined outside of one, or if it is for another site. */
  #terms: Terms | undefined
  #needsServer = false
  /** Of the license element that is being read. */
  #permits: Set<string> | undefined
  #prohibits = new Set<string>()
  #isFree = true
  #hasPayment = false
  /** The element whose text is being read. */
  #listed: 'usage' | 'others' | undefined
  #text = ''

  constructor(origin: string) {
    this.#origin = origin
  }

  open(name: string, attributes: string): void {
    const type = attributeOf(attributes, 'type')
    if (name === 'content') {
      this.#begin(attributeOf(attributes, 'url') ?? '/')
      this.#needsServer = attributeOf(attributes, 'server') !== undefined
    } else if (name === 'license') {
      this.#permits = undefined
      this.#prohibits = new Set()
      this.#isFree = true
      this.#hasPayment = false
    } else if (name === 'permits' || name === 'prohibits') {
      this.#listed = type === undefined || type === 'usage' ? 'usage' : 'others'
      this.#text = ''
    } else if (name === 'payment') {
      this.#hasPayment = true
      // A payment without a type may name a rate card.
      if (!freePayments.has(type ?? '')) this.#isFree = false
    }
  }

  text(written: string): void {
    if (this.#listed !== undefined && this.#text.length < 1000) this.#text += written
  }

  cdata(text: string): void {
    this.text(text)
  }

  close(name: string): void {
    if (name === 'permits' || name === 'prohibits') this.#list(name)
    else if (name === 'license') this.#finish()
    else if (name === 'content') this.#terms = undefined
  }

  #begin(url: string): void {
    const path = url.startsWith(this.#origin) ? url.slice(this.#origin.length) || '/' : url
    this.#terms = undefined
    if (!/^[/*]/.test(path) || this.terms.length >= termsMax) return
    const pattern = readPattern(Buffer.from(path).toString('latin1'))
    this.#terms = { pattern, permits: undefined, prohibits: new Set(), isOpen: false }
    this.terms.push(this.#terms)
  }

  #list(name: 'permits' | 'prohibits'): void {
    const words = this.#text.split(/[,\s]+/).filter((word) => word !== '')
    if (this.#listed === 'usage' && words.length > 0)
      add(name === 'permits' ? (this.#permits ??= new Set()) : this.#prohibits, words)
    else if (this.#listed === 'others' && !(name === 'permits' && isEveryUser(words))) this.#isFree = false
    this.#listed = undefined
  }

  #finish(): void {
    const terms = this.#terms
    if (terms === undefined) return
    add(terms.prohibits, this.#prohibits)
    if (!this.#isFree || this.#needsServer) add(terms.prohibits, this.#permits ?? ['all'])
    else if (this.#permits !== undefined) add((terms.permits ??= new Set()), this.#permits)
    else if (this.#hasPayment) terms.isOpen = true
  }
}

function add(usages: Set<string>, words: Iterable<string>): void {
  for (const word of words) if (usages.size < usagesMax) usages.add(word.toLowerCase())
}

function isEveryUser(words: readonly string[]): boolean {
  return licencedUsers.every((user) => words.includes(user))
}

function attributeOf(attributes: string, name: string): string | undefined {
  const found = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, 'i').exec(attributes)
  return found?.[1] ?? found?.[2]
}
