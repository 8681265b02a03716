/** Calls a user's handler with a page and collects its items and decisions. Runs in the handler's thread. */
import type {
  HandledLink,
  HandledPage,
  PageHandler,
  PageItems,
} from '../../../engine/user-code/page-handler.ts'
import type { CanonicalRules } from '../../../web/url/canonical-rules.ts'
import { canonicalUrl } from '../../../web/url/canonical-url.ts'
import { pageView, type PageContext, type ViewedResult } from '../../session/page-view.ts'
import type { PageDecision } from './page-handling.ts'
import { selectorOf } from './page-selection.ts'

/** A fetched page on its way to a handler; it can be sent to a thread. */
export interface HandlerInput {
  readonly result: ViewedResult
  readonly context: PageContext
}

const weightMax = 100
/** Links that one page may add, and the size of its items: what a mistake such as an endless generator can reach. */
const addedMax = 10_000
const itemCharsMax = 16 << 20

/** Rejects if the handler throws, or returns anything but objects. */
export async function decisionOf(
  handler: PageHandler,
  input: HandlerInput,
  rules: CanonicalRules,
): Promise<PageDecision> {
  const decisions = new Decisions(input, rules)
  const view = pageView(input.result, input.context)
  const page: HandledPage = Object.assign(view, {
    $: selectorOf(() => view.html),
    push: (...items: readonly object[]) => decisions.push(items),
    follow: (...links: readonly (HandledLink | string)[]) => decisions.follow(links),
    skip: (...links: readonly (HandledLink | string)[]) => decisions.skip(links),
    add: (url: string, { weight }: { weight?: number | undefined } = {}) => decisions.add(url, weight),
  })
  const returned = await handler(page)
  for await (const item of itemsOf(returned)) decisions.push([item])
  return decisions.decision
}

function itemsOf(returned: PageItems): Iterable<object> | AsyncIterable<object> {
  if (returned === undefined || returned === null) return []
  if (typeof returned !== 'object') {
    throw new Error(`it returned ${shown(returned)}; expected objects, or nothing`)
  }
  return Symbol.iterator in returned || Symbol.asyncIterator in returned
    ? (returned as Iterable<object>)
    : [returned]
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) as string | undefined
  return (text ?? typeof value).slice(0, 100)
}

class Decisions {
  readonly #url: string
  readonly #rules: CanonicalRules
  readonly #links: readonly string[]
  #positions: Map<string, number> | undefined
  readonly #lines: string[] = []
  #chars = 0
  /** Undefined until `follow` is called. */
  #followed: Set<number> | undefined
  readonly #skipped = new Set<number>()
  readonly #added = new Map<string, number>()

  constructor({ result, context }: HandlerInput, rules: CanonicalRules) {
    this.#url = context.url
    this.#rules = rules
    this.#links = result.links === '' ? [] : result.links.split('\n')
  }

  push(items: readonly unknown[]): void {
    for (const item of items) {
      const line = typeof item === 'object' && item !== null ? JSON.stringify(item) : undefined
      if (line?.startsWith('{') !== true) {
        throw new Error(`an item is ${shown(item)}; expected an object`)
      }
      this.#chars += line.length
      if (this.#chars > itemCharsMax) throw new Error(`its items take more than ${itemCharsMax} characters`)
      this.#lines.push(line)
    }
  }

  follow(links: readonly (HandledLink | string)[]): void {
    this.#followed ??= new Set()
    for (const link of links) this.#followed.add(this.#position(link))
  }

  skip(links: readonly (HandledLink | string)[]): void {
    for (const link of links) this.#skipped.add(this.#position(link))
  }

  add(given: string, weight = 1): void {
    const url = canonicalUrl(given, this.#url, this.#rules)
    if (url === undefined) throw new Error(`add: ${shown(given)} is not an http or https URL`)
    if (!Number.isInteger(weight) || weight < 1 || weight > weightMax) {
      throw new Error(`add: weight is ${shown(weight)}; expected a whole number from 1 to ${weightMax}`)
    }
    this.#added.set(url, weight)
    if (this.#added.size > addedMax) throw new Error(`it adds more than ${addedMax} links`)
  }

  get decision(): PageDecision {
    return {
      items: this.#lines.map((line) => `${line}\n`).join(''),
      itemCount: this.#lines.length,
      dropped: this.#dropped(),
      added: [...this.#added],
    }
  }

  #dropped(): Uint8Array | undefined {
    if (this.#followed === undefined && this.#skipped.size === 0) return undefined
    return Uint8Array.from(this.#links, (_, i) =>
      this.#skipped.has(i) || this.#followed?.has(i) === false ? 1 : 0,
    )
  }

  /** -1 if the page has no such link. */
  #position(link: HandledLink | string): number {
    this.#positions ??= new Map(this.#links.map((url, i) => [url, i]))
    const url = typeof link === 'string' ? canonicalUrl(link, this.#url, this.#rules) : link.url
    return this.#positions.get(url ?? '') ?? -1
  }
}
