/**
 * An RSL 1.0 licence: for paths, usages that it permits and prohibits. A usage that costs money, or for which a licence must be
 * obtained from a server, counts as prohibited: a crawl buys nothing.
 *
 *   <content url="/docs/*"><license><permits type="usage">search</permits><payment type="free"/></license></content>
 */
import { matches, readPath, readPattern, type RobotsPattern } from '../robots/robots-pattern.ts'
import { XmlScanner } from '../sitemap/xml-scanner.ts'
import { statement } from './statement.ts'

/** More elements are not read. */
const termsMax = 1000
const freePayments = new Set(['free', 'attribution'])

interface Terms {
  readonly pattern: RobotsPattern
  readonly permits: readonly string[]
  readonly prohibits: readonly string[]
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

  /** Of the terms for the longest pattern that matches. */
  statementsOf(pathAndQuery: string): string[] {
    const path = readPath(pathAndQuery)
    const terms = this.#terms.find(({ pattern }) => matches(pattern, path))
    return [
      ...(terms?.permits ?? []).map((usages) => statement('licence permits', usages)),
      ...(terms?.prohibits ?? []).map((usages) => statement('licence prohibits', usages)),
    ]
  }
}

class LicenceReader {
  readonly #origin: string
  readonly terms: Terms[] = []
  /** Of the content element that is being read; undefined outside of one, or if it is for another site. */
  #pattern: RobotsPattern | undefined
  #needsServer = false
  #permits: string[] = []
  #prohibits: string[] = []
  #isFree = true
  #text: string | undefined

  constructor(origin: string) {
    this.#origin = origin
  }

  open(name: string, attributes: string): void {
    const type = attributeOf(attributes, 'type')
    if (name === 'content') {
      this.#pattern = this.#patternOf(attributeOf(attributes, 'url') ?? '/')
      this.#needsServer = attributeOf(attributes, 'server') !== undefined
    } else if (name === 'license') {
      this.#permits = []
      this.#prohibits = []
      this.#isFree = true
    } else if (name === 'permits' || name === 'prohibits') {
      this.#text = type === undefined || type === 'usage' ? '' : undefined
    } else if (name === 'payment') this.#isFree = freePayments.has(type ?? 'free')
  }

  text(written: string): void {
    if (this.#text !== undefined && this.#text.length < 1000) this.#text += written
  }

  cdata(text: string): void {
    this.text(text)
  }

  close(name: string): void {
    if ((name === 'permits' || name === 'prohibits') && this.#text !== undefined) {
      const usages = this.#text
        .split(/[,\s]+/)
        .join(' ')
        .trim()
      if (usages !== '') (name === 'permits' ? this.#permits : this.#prohibits).push(usages)
      this.#text = undefined
    } else if (name === 'license') this.#finish()
    else if (name === 'content') this.#pattern = undefined
  }

  #finish(): void {
    if (this.#pattern === undefined || this.terms.length >= termsMax) return
    const isFree = this.#isFree && !this.#needsServer
    this.terms.push({
      pattern: this.#pattern,
      permits: isFree ? this.#permits : [],
      prohibits: isFree ? this.#prohibits : [...this.#prohibits, ...this.#permits],
    })
  }

  #patternOf(url: string): RobotsPattern | undefined {
    const path = url.startsWith(this.#origin) ? url.slice(this.#origin.length) || '/' : url
    return /^[/*]/.test(path) ? readPattern(Buffer.from(path).toString('latin1')) : undefined
  }
}

function attributeOf(attributes: string, name: string): string | undefined {
  const found = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, 'i').exec(attributes)
  return found?.[1] ?? found?.[2]
}
