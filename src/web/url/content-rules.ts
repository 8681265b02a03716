/**
 * Which kinds of content a crawl takes. A rule is a media type (`text/html`, `image/*`) or a file extension
 * (`.pdf`).
 *
 * Extensions are checked in links, before a request: a link with a rejected extension is out of scope. If only
 * extensions are accepted, so is a link with another extension; links without an extension are followed. Types are
 * checked in the headers of a response, before its body: the type must be accepted, unless the extension is, and
 * must not be rejected. A response without a type is read.
 */

export interface ContentRules {
  readonly accept?: readonly string[] | undefined
  readonly reject?: readonly string[] | undefined
}

const typeRule = /^[a-z0-9!#$&^_.+-]+\/(?:\*|[a-z0-9!#$&^_.+-]+)$/i
const extensionRule = /^\.[a-z0-9][a-z0-9.]{0,19}$/i
/** The extension of a path; a number is none (`/v1.2`). */
const extension = /\.(?=[a-z0-9]*[a-z])[a-z0-9]{1,10}$/

export function isContentRule(text: string): boolean {
  return typeRule.test(text) || extensionRule.test(text)
}

export class ContentFilter {
  readonly #acceptedTypes: readonly string[]
  readonly #rejectedTypes: readonly string[]
  readonly #acceptedExtensions: readonly string[]
  readonly #rejectedExtensions: readonly string[]

  constructor({ accept = [], reject = [] }: ContentRules) {
    this.#acceptedTypes = accept.filter(isType).map(lower)
    this.#rejectedTypes = reject.filter(isType).map(lower)
    this.#acceptedExtensions = accept.filter((rule) => !isType(rule)).map(lower)
    this.#rejectedExtensions = reject.filter((rule) => !isType(rule)).map(lower)
  }

  get checksTypes(): boolean {
    return this.#acceptedTypes.length + this.#rejectedTypes.length > 0
  }

  get checksExtensions(): boolean {
    return this.#acceptedExtensions.length + this.#rejectedExtensions.length > 0
  }

  /** Whether this canonical URL may be requested, by its extension. */
  admits(url: string): boolean {
    const path = pathOf(url)
    if (endsWithAny(path, this.#rejectedExtensions)) return false
    if (this.#acceptedExtensions.length === 0 || this.#acceptedTypes.length > 0) return true
    return endsWithAny(path, this.#acceptedExtensions) || !extension.test(path)
  }

  /** Whether a response of this type is read. `type`: in lower case and without parameters; empty: there is none. */
  wants(url: string, type: string): boolean {
    if (type === '') return true
    if (matchesAny(type, this.#rejectedTypes)) return false
    if (this.#acceptedTypes.length === 0 || matchesAny(type, this.#acceptedTypes)) return true
    return this.#acceptedExtensions.length > 0 && endsWithAny(pathOf(url), this.#acceptedExtensions)
  }
}

const isType = (rule: string): boolean => rule.includes('/')
const lower = (rule: string): string => rule.toLowerCase()

/** In lower case, without the query. */
function pathOf(url: string): string {
  const from = url.indexOf('/', url.indexOf('://') + 3)
  const query = url.indexOf('?', from)
  return url.slice(from, query < 0 ? undefined : query).toLowerCase()
}

function endsWithAny(path: string, extensions: readonly string[]): boolean {
  return extensions.some((one) => path.endsWith(one))
}

function matchesAny(type: string, rules: readonly string[]): boolean {
  return rules.some((rule) => (rule.endsWith('/*') ? type.startsWith(rule.slice(0, -1)) : type === rule))
}
