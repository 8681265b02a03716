/**
 * Checks what `explain` says of every page of a crawl against facts that it did not compute: what the server was asked, the
 * web that the server has, and the record, read fact by fact. Each line must be known here, so a new sentence needs a check.
 *
 * The crawl has one connection, so that requests follow one another and "meanwhile" is exact.
 */
/* oxlint-disable vitest/no-standalone-expect -- explain-truth.test.ts calls these within its tests */
import { expect } from 'vitest'
import type { FailureCause } from '../../src/engine/world.ts'
import { explanationText } from '../../src/crawler/read/explanation-text.ts'
import { explain, type Explanation } from '../../src/crawler/read/explanation.ts'
import type { CrawlTotals } from '../../src/crawler/options/crawl-options.ts'
import { CrawlFolder } from '../../src/crawler/record/crawl-folder.ts'
import type { FoundRecord } from '../../src/crawler/record/found-record.ts'
import type { OutcomeRecord } from '../../src/crawler/record/outcome-record.ts'

/** A request that the server got. */
export interface Asked {
  readonly url: string
  readonly atMs: number
  readonly status: number
}

/** The web as the server has it. */
export interface ServedTruth {
  readonly asked: readonly Asked[]
  /** Different links of a page that are in scope, as URLs; empty for a page without content. */
  linksOf(url: string): readonly string[]
  isNofollow(url: string): boolean
  location(url: string): string | undefined
}

type Event =
  | { readonly kind: 'found'; readonly page: number; readonly by: number | undefined }
  | { readonly kind: 'outcome'; readonly page: number; readonly links: readonly number[] }
  | { readonly kind: 'refused'; readonly page: number }
  | { readonly kind: 'put back'; readonly page: number; readonly isLast: boolean }

interface Facts {
  readonly found: readonly FoundRecord[]
  readonly versions: readonly (readonly OutcomeRecord[])[]
  readonly events: readonly Event[]
}

async function factsOf(out: string): Promise<Facts> {
  const record = await CrawlFolder.open(out).readRecord()
  const events: Event[] = []
  let known = 0
  const discover = (count: number, by?: number): void => {
    for (let i = 0; i < count; i++) events.push({ kind: 'found', page: known++, by })
  }
  const linked = (links: readonly number[], by: number): void =>
    discover(Math.max(0, ...links.map((link) => link + 1 - known)), by)
  try {
    await record.replay({
      seed: () => discover(1),
      fetched: (page, links, count) => {
        const targets = [...links.subarray(0, count)]
        events.push({ kind: 'outcome', page, links: targets })
        linked(targets, page)
      },
      looked: (page, _seconds, verdict, links, count = 0) => {
        if (verdict === 'changed') linked([...(links?.subarray(0, count) ?? [])], page)
      },
      failed: (page, cause: FailureCause) => {
        const wasAsked = cause === 'failed' || cause === 'temporary'
        events.push(wasAsked ? { kind: 'outcome', page, links: [] } : { kind: 'refused', page })
      },
      postponed: (page, why) => events.push({ kind: 'put back', page, isLast: why === 'last' }),
      retry: (page) => events.push({ kind: 'put back', page, isLast: false }),
    })
    const found = [...record.foundPages()]
    return { found, versions: found.map((_, page) => [...record.versions(page)]), events }
  } finally {
    record.close()
  }
}

export interface CheckedCrawl {
  readonly out: string
  readonly truth: ServedTruth
  /** Of the last session. */
  readonly totals: CrawlTotals
  readonly isBreadthFirst: boolean
  /** True if pages were fetched again after the crawl: mass and links then belong to newer versions. */
  readonly isRefreshed?: boolean
}

/** Checks every page. Returns how often each kind of sentence occurred. */
export async function checkExplanations(crawl: CheckedCrawl): Promise<Map<string, number>> {
  const facts = await factsOf(crawl.out)
  const seen = new Map<string, number>()
  const rests = { unobtainable: 0, excluded: 0, 'not fetched': 0 }
  for (const [page, { url }] of facts.found.entries()) {
    const explanation = await explain(crawl.out, url)
    if (explanation.rests !== undefined) rests[explanation.rests.as] += explanation.rests.importance
    const checker = new PageChecker(crawl, facts, page, explanation)
    for (const kind of checker.check()) seen.set(kind, (seen.get(kind) ?? 0) + 1)
  }
  const { robots, failed, budget, guaranteed } = crawl.totals.coverage
  if (crawl.isRefreshed !== true) {
    expect(rests.unobtainable).toBeCloseTo(robots + failed, 5)
    // The strategy may know of some mass on fetched pages that it has not passed on.
    expect(rests.excluded + rests['not fetched']).toBeLessThanOrEqual(budget + 1e-5)
    expect(rests.excluded + rests['not fetched'] + rests.unobtainable).toBeLessThanOrEqual(
      1 - guaranteed + 1e-5,
    )
  }
  return seen
}

const time = String.raw`(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d) UTC`
const count = String.raw`([\d,]+)`

class PageChecker {
  readonly #crawl: CheckedCrawl
  readonly #facts: Facts
  readonly #page: number
  readonly #explanation: Explanation
  readonly #url: string
  readonly #asked: readonly Asked[]
  readonly #first: OutcomeRecord | undefined
  readonly #newest: OutcomeRecord | undefined
  readonly #kinds: string[] = []

  constructor(crawl: CheckedCrawl, facts: Facts, page: number, explanation: Explanation) {
    this.#crawl = crawl
    this.#facts = facts
    this.#page = page
    this.#explanation = explanation
    this.#url = facts.found[page].url
    this.#asked = crawl.truth.asked.filter(({ url }) => url === this.#url)
    // Newest first.
    const versions = facts.versions[page]
    this.#newest = versions[0]
    this.#first = versions.at(-1)
  }

  check(): string[] {
    const text = explanationText(this.#crawl.out, this.#explanation)
    const lines = text.split('\n')
    expect(lines.shift()).toBe(this.#url)
    let part = 'Verdict'
    const steps: string[] = []
    for (const line of lines) {
      if (line === '') continue
      const [, label = '', rest = ''] =
        /^(Found|Score|Rests|Waited|Content|Fresh|Next|Handler|Archive|Settings) +(.*)$/.exec(line) ?? []
      if (label !== '') part = label
      const sentence = label === '' ? line.trim() : rest.trim()
      if (part === 'Found' && /^(→ )?http\S+$/.test(sentence)) steps.push(sentence.replace('→ ', ''))
      else this.#sentence(part, sentence, text)
    }
    if (steps.length > 0) this.#checkPath(steps)
    this.#checkWhatMustBeSaid(text)
    return this.#kinds
  }

  #sentence(part: string, sentence: string, whole: string): void {
    for (const [of, pattern, check] of this.#checks) {
      const match = of === part ? new RegExp(`^${pattern}$`).exec(sentence) : null
      if (match === null) continue
      this.#kinds.push(`${part}: ${pattern}`)
      check(match.slice(1))
      return
    }
    throw new Error(`No check for a sentence of ${part}: ${sentence}\n\n${whole}`)
  }

  readonly #checks: readonly (readonly [string, string, (given: string[]) => void])[] = [
    [
      'Verdict',
      `Fetched at ${time}, as page ${count} of the crawl: (\\d+), (.*)\\.`,
      ([at, as, status]) => {
        this.#checkAnswer(at, status, this.#newest)
        expect(number(as)).toBe(this.#cameAs(this.#page))
        expect(this.#crawl.truth.location(this.#url)).toBeUndefined()
        expect(this.#first).toEqual(this.#newest)
      },
    ],
    [
      'Verdict',
      `Fetched first at ${time}, as page ${count} of the crawl; its newest version at ${time}: (\\d+), (.*)\\.`,
      ([first, as, at, status]) => {
        this.#checkAnswer(first, '200', this.#first)
        this.#checkAnswer(at, status, this.#newest)
        expect(number(as)).toBe(this.#cameAs(this.#page))
        expect(this.#asked.length).toBeGreaterThan(1)
      },
    ],
    [
      'Verdict',
      `A redirect, requested at ${time}, as page ${count} of the crawl: (\\d+), .*leads to (\\S+)\\.`,
      ([at, as, status, target]) => {
        this.#checkAnswer(at, status, this.#newest)
        expect(number(as)).toBe(this.#cameAs(this.#page))
        expect(target).toBe(this.#crawl.truth.location(this.#url))
      },
    ],
    ['Verdict', 'It leads into a redirect loop: (.*)', ([chain]) => this.#checkLoop(chain.split(' → '))],
    [
      'Verdict',
      `Requested at ${time}, as page ${count} of the crawl: (\\d+), .*, without success \\((.*)\\), in ${count} attempts?\\.`,
      ([at, as, status, why, attempts]) => {
        this.#checkAnswer(at, status, this.#newest)
        expect(number(as)).toBe(this.#cameAs(this.#page))
        expect(this.#asked).toHaveLength(number(attempts))
        const [, chain] = /^redirect loop: (.*)$/.exec(why) ?? []
        if (chain === undefined) expect(why).toBe(`http-${this.#asked[0].status}`)
        else this.#checkLoop(chain.split(' → '))
      },
    ],
    [
      'Verdict',
      'Never fetched: robots\\.txt of its site disallows it\\.',
      () => {
        expect(this.#asked).toEqual([])
        expect(new URL(this.#url).pathname).toMatch(/^\/private/)
      },
    ],
    [
      'Verdict',
      'The rule: "Disallow: /private" for all crawlers \\(robots\\.txt, read at .* UTC\\)\\.',
      () => {},
    ],
    [
      'Verdict',
      'Never fetched: trap detection refused it \\((trap-[a-z-]+)\\)\\. A new crawl with --no-traps fetches such pages; docs/traps\\.md has the rules\\.',
      ([error]) => {
        expect(this.#asked).toEqual([])
        expect(this.#newest?.error).toBe(error)
      },
    ],
    [
      'Verdict',
      `Not fetched yet: the crawl stopped (.*) while it waited with ${count} other pages?, ${count} of them ahead of it\\.`,
      ([why, others, ahead]) => {
        expect(this.#asked).toEqual([])
        const phrases: Partial<Record<CrawlTotals['stoppedBecause'], string>> = {
          pages: 'at the page budget',
        }
        expect(why).toBe(phrases[this.#crawl.totals.stoppedBecause])
        this.#checkQueue(number(others), number(ahead))
      },
    ],
    ['Verdict', 'Trap detection has put it last, .*', () => expect(this.#isPutLast).toBe(true)],
    ['Waited', 'Trap detection had put it last, .*', () => expect(this.#isPutLast).toBe(true)],
    ['Found', `a seed, known from the start at ${time}`, () => expect(this.#parent).toBeUndefined()],
    [
      'Found',
      `${count} links? from a seed, at ${time} when ${count} pages? had an outcome, by`,
      ([depth, at, after]) => {
        expect(number(depth)).toBe(this.#facts.found[this.#page].depth)
        expect(number(after)).toBe(this.#outcomesBefore(this.#foundEvent))
        const since = seconds(at)
        const onPage = this.#crawl.truth.asked.filter(
          ({ url }) => url === this.#facts.found[this.#parent!].url,
        )
        // The response was complete after one of the requests for it arrived, and before this page was requested.
        expect(onPage.some(({ atMs }) => Math.floor(atMs / 1000) <= since)).toBe(true)
        if (this.#asked.length > 0) expect(since).toBeLessThanOrEqual(this.#asked[0].atMs / 1000)
      },
    ],
    [
      'Score',
      `(\\S+) (now|when it was selected), by .*; ${count} links? of fetched pages led to it`,
      ([value, when, links]) => {
        const isWaiting = this.#explanation.state === 'waiting'
        expect(when).toBe(isWaiting ? 'now' : 'when it was selected')
        if (!isWaiting) expect(Number(value)).toBe(Number((this.#first?.score ?? 0).toPrecision(4)))
        expect(number(links)).toBe(this.#linksBefore(isWaiting ? Infinity : this.#ownEvent))
      },
    ],
    [
      'Score',
      `RankMass that had reached it: (\\S+?)(?:, most of it from)?`,
      ([reached]) => {
        const { value = 0 } = this.#explanation.score!
        // The strategy leaves small amounts for later.
        expect(Number(reached)).toBeGreaterThanOrEqual(Number(value.toPrecision(4)) * 0.999)
        if (value > 1e-3) expect(Number(reached)).toBeLessThan(2 * value)
      },
    ],
    ['Score', `\\S+ +(http\\S+)`, ([giver]) => expect(this.#followedOf(giver)).toContain(this.#url)],
    [
      'Rests',
      '(\\S+)% of the importance is known to rest on it: (.*)',
      ([, as]) => {
        // Of a page that was fetched, content or redirect, nothing is missing.
        expect(
          this.#asked.every(({ status }) => status >= 400 || this.#newest?.error === 'redirect-loop'),
        ).toBe(true)
        const { state } = this.#explanation
        const isObtainable = state === 'waiting' || state === 'temporary'
        if (isObtainable) expect(as).toMatch(/^coverage counts it as missing/)
        else
          expect(as).toMatch(state === 'limit' ? /^a limit of this crawl excludes it/ : /^it is unobtainable/)
      },
    ],
    [
      'Waited',
      `(?:\\S+ (?:ms|s|min); )?no other page was requested meanwhile`,
      () => expect(this.#meanwhile).toEqual([]),
    ],
    [
      'Waited',
      `(?:\\S+ (?:ms|s|min); )?${count} other pages? (?:was|were) requested meanwhile, ${count} of its own site:`,
      ([all, same]) => {
        expect(number(all)).toBe(this.#meanwhile.length)
        expect(number(same)).toBe(this.#meanwhile.length)
      },
    ],
    [
      'Waited',
      `${count} with a higher score, or the same and found earlier`,
      ([better]) => {
        if (this.#crawl.isBreadthFirst) expect(number(better)).toBe(this.#earlier.length)
        else expect(number(better)).toBeLessThanOrEqual(this.#meanwhile.length)
      },
    ],
    [
      'Waited',
      `${count} without a higher score: trap detection had put this page last`,
      ([last]) => {
        expect(this.#isPutLast).toBe(true)
        if (this.#crawl.isBreadthFirst)
          expect(number(last)).toBe(this.#meanwhile.length - this.#earlier.length)
      },
    ],
    [
      'Waited',
      `It was requeued ${count} times?: .*`,
      ([times]) => {
        const own = this.#facts.events.filter(
          (event, i) =>
            event.kind === 'put back' && event.page === this.#page && !event.isLast && i < this.#ownEvent,
        )
        expect(number(times)).toBe(own.length)
      },
    ],
    ['Content', '".*"', () => {}],
    [
      'Content',
      `${count} links?, ${count} out of scope, 0 too deep`,
      ([links]) => {
        expect(number(links)).toBe(this.#followedOf(this.#url).length)
      },
    ],
    [
      'Content',
      `not followed: ${count} links?, since the page says nofollow \\(--follow-nofollow\\)`,
      ([links]) => {
        expect(this.#crawl.truth.isNofollow(this.#url)).toBe(true)
        expect(number(links)).toBe(this.#crawl.truth.linksOf(this.#url).length)
      },
    ],
    [
      'Content',
      `\\d+% the same as (\\S+)|the same (?:text )?as (\\S+), .*`,
      ([near, same]) => {
        expect(this.#crawl.truth.asked.some(({ url }) => url === (near ?? same))).toBe(true)
      },
    ],
    [
      'Settings',
      `changed by the resume at ${time}: (?:recrawl|pages) .*`,
      ([at]) => {
        expect(seconds(at)).toBeLessThanOrEqual(this.#newest!.startMs / 1000)
      },
    ],
    ['Fresh', '.*', () => expect(this.#crawl.isRefreshed).toBe(true)],
    ['Next', 'rankward resume \\S+', () => expect(this.#explanation.state).toBe('waiting')],
  ]

  /** What must be there, and not only be true if it is. */
  #checkWhatMustBeSaid(text: string): void {
    if (this.#isPutLast) expect(text).toContain('put it last')
    if (
      this.#crawl.truth.isNofollow(this.#url) &&
      this.#explanation.state === 'fetched' &&
      this.#crawl.truth.linksOf(this.#url).length > 0
    )
      expect(text).toContain('the page says nofollow')
    expect(text).not.toMatch(/undefined|NaN/)
    if (this.#explanation.state === 'redirect') expect(text).not.toContain('missing')
  }

  /** A time and a status against what the server was asked. */
  #checkAnswer(at: string, status: string, record: OutcomeRecord | undefined): void {
    const { startMs, durationMs } = record!
    expect(seconds(at)).toBe(Math.floor(startMs / 1000))
    // The server got a request between the time that it was sent and the end of its response.
    const own = this.#asked.filter(({ atMs }) => atMs >= startMs - 1 && atMs <= startMs + durationMs + 1)
    expect(own.map((asked) => asked.status)).toContain(Number(status))
  }

  #checkLoop(chain: readonly string[]): void {
    const { truth } = this.#crawl
    expect(chain[0]).toBe(this.#url)
    expect(chain.slice(0, -1)).toContain(chain.at(-1))
    chain.slice(1).forEach((url, i) => expect(truth.location(chain[i])).toBe(url))
  }

  #checkPath(steps: readonly string[]): void {
    expect(steps.at(-1)).toBe(this.#url)
    steps.slice(1).forEach((url, i) => expect(this.#followedOf(steps[i])).toContain(url))
  }

  /** Where a page leads: a redirect to its target, a page that says nofollow nowhere. */
  #followedOf(url: string): readonly string[] {
    const { truth } = this.#crawl
    const target = truth.location(url)
    if (target !== undefined) return [target]
    return truth.isNofollow(url) ? [] : truth.linksOf(url)
  }

  #checkQueue(others: number, ahead: number): void {
    const { found, versions } = this.#facts
    const waiting = found.flatMap((_, page) =>
      versions[page].length === 0 && page !== this.#page ? [page] : [],
    )
    expect(others).toBe(waiting.length)
    expect(ahead).toBeLessThanOrEqual(others)
    const rank = (page: number): number => (this.#putLast.has(page) ? 1e9 : 0) + page
    const before = waiting.filter((page) => rank(page) < rank(this.#page))
    if (this.#crawl.isBreadthFirst) expect(ahead).toBe(before.length)
  }

  get #parent(): number | undefined {
    return this.#facts.found[this.#page].parent
  }

  get #foundEvent(): number {
    return this.#facts.events.findIndex((event) => event.kind === 'found' && event.page === this.#page)
  }

  /** Its outcome or refusal; Infinity if it waits. */
  get #ownEvent(): number {
    const at = this.#facts.events.findLastIndex(
      (event) => (event.kind === 'outcome' || event.kind === 'refused') && event.page === this.#page,
    )
    return at < 0 ? Infinity : at
  }

  #outcomesBefore(end: number): number {
    return this.#facts.events.filter((event, i) => i < end && event.kind === 'outcome').length
  }

  #cameAs(page: number): number {
    const at = this.#facts.events.findIndex((event) => event.kind === 'outcome' && event.page === page)
    return this.#outcomesBefore(at) + 1
  }

  #linksBefore(end: number): number {
    let links = 0
    for (const [i, event] of this.#facts.events.entries()) {
      if (i < end && event.kind === 'outcome')
        links += event.links.filter((link) => link === this.#page).length
    }
    return links
  }

  /** Pages requested between its discovery and its own request. */
  get #meanwhile(): number[] {
    const [start, end] = [this.#foundEvent, this.#ownEvent]
    return this.#facts.events.flatMap((event, i) =>
      i > start && i < end && event.kind === 'outcome' && event.page !== this.#page ? [event.page] : [],
    )
  }

  /** Breadth-first: those found before it. */
  get #earlier(): number[] {
    return this.#meanwhile.filter((page) => page < this.#page)
  }

  get #putLast(): Set<number> {
    return new Set(
      this.#facts.events.flatMap((event) => (event.kind === 'put back' && event.isLast ? [event.page] : [])),
    )
  }

  get #isPutLast(): boolean {
    return this.#putLast.has(this.#page)
  }
}

function number(text: string): number {
  return Number(text.replaceAll(',', ''))
}

/** 2026-11-15 12:40:12 as seconds of the epoch. */
function seconds(text: string): number {
  return Date.parse(`${text.replace(' ', 'T')}Z`) / 1000
}
