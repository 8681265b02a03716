/**
 * Makes the links of one page canonical. The base is parsed once; a link of plain characters is then
 * appended to the right part of it, without parsing:
 *
 *     base    http://example.org/a/b/c?d
 *             -------origin-----          directory: with /a/b/, path: with /a/b/c
 *     /x      http://example.org/x              x      http://example.org/a/b/x
 *     ../x    http://example.org/a/x            ?x     http://example.org/a/b/c?x
 *
 * All others (another scheme, `//host`, dots inside, characters to be escaped) go through the URL parser.
 */
import { applyRules, completeRules, defaultRules, type CanonicalRules } from './canonical-rules.ts'
import { pathEnd, queryEnd, parsedUrl, seenUrl } from './plain-url.ts'

const hash = 0x23
const dot = 0x2e
const slash = 0x2f
const question = 0x3f

export class LinkBase {
  /** The base in canonical form; empty if it is not an http(s) URL. */
  readonly #url: string
  readonly #rules: Required<CanonicalRules>
  readonly #origin: string
  readonly #directory: string
  readonly #path: string

  /** With a base that is not an http(s) URL, only absolute links are resolved. */
  constructor(base: string, rules: CanonicalRules = defaultRules) {
    this.#rules = completeRules(rules)
    this.#url = seenUrl(base) ?? parsedUrl(base) ?? ''
    const query = this.#url.indexOf('?')
    this.#path = query < 0 ? this.#url : this.#url.slice(0, query)
    this.#directory = this.#path.slice(0, this.#path.lastIndexOf('/') + 1)
    this.#origin = this.#path.slice(0, this.#path.indexOf('/', 'https://'.length))
  }

  /** The canonical form of a link; undefined if it is not a valid http(s) URL. */
  resolve(link: string): string | undefined {
    const url = seenUrl(link) ?? this.#joined(link) ?? parsedUrl(link, this.#url)
    return url === undefined ? undefined : applyRules(url, this.#rules)
  }

  /** The link appended to its part of the base, if both are plain; undefined if it must be parsed. */
  #joined(link: string): string | undefined {
    if (this.#url === '') return undefined
    const first = link.charCodeAt(0)
    if (first === slash) {
      return link.charCodeAt(1) === slash ? undefined : this.#behind(this.#origin, link, 0)
    }
    if (first === dot) return this.#above(link)
    if (first === question) {
      const end = queryEnd(link, 0)
      return end < 0 ? undefined : this.#path + link.slice(0, end)
    }
    if (first === hash || link === '') return this.#url
    return this.#behind(this.#directory, link, 0)
  }

  /** A link that starts with `./` or with `../`, once or more. */
  #above(link: string): string | undefined {
    let directory = this.#directory
    let at = 0
    if (link.startsWith('./')) at = 2
    for (; link.startsWith('../', at); at += 3) {
      // The parent of the root is the root.
      if (directory.length - 1 === this.#origin.length) continue
      directory = directory.slice(0, directory.lastIndexOf('/', directory.length - 2) + 1)
    }
    return at === 0 ? undefined : this.#behind(directory, link, at)
  }

  #behind(start: string, link: string, from: number): string | undefined {
    const end = pathEnd(link, from)
    if (end < 0) return undefined
    const rest = from === 0 && end === link.length ? link : link.slice(from, end)
    return start + rest
  }
}
