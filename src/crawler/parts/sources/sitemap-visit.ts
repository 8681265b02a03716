/**
 * The pages in the sitemaps of sites, requested before a crawl begins: robots.txt names the sitemaps, or they
 * are at the usual path. They are side requests (desk/side-requests.ts), one at a time for each site.
 */
import type { Desk } from '../../desk/desk.ts'
import { SideClaim, type Preparation, type SideOutcome } from '../../desk/side-requests.ts'
import { originOf } from '../../desk/site-access.ts'
import type { FetchResult } from '../../world/fetch-result.ts'
import { siteOf } from '../../../web/url/site.ts'
import { withoutForeignUser } from '../../../web/url/url-user.ts'
import { isUrl } from '../../../lib/host.ts'

interface SitemapVisitOptions {
  readonly desk: Desk
  /** Reports the number of pages known so far. */
  readonly progress?: (pages: number) => void
  /** A sitemap was not read as a whole. */
  readonly missed?: () => void
}

/** Maximum number of files per site, and of pages in all. */
const filesMax = 1000
const pagesMax = 1_000_000
/** A site with this many failures, or that has to rest for longer, is skipped: the crawl begins without its sitemaps. */
const missesMax = 3
const restSecondsMax = 60

export class SitemapVisit {
  readonly #options: SitemapVisitOptions
  /** Sites with a long rest: only one sitemap of them is requested. */
  readonly #slow = new Set<string>()
  readonly #pages = new Set<string>()
  #stopped = false
  /** Ends the pauses. */
  readonly #wakes = new Set<() => void>()
  #reject: ((error: Error) => void) | undefined

  constructor(options: SitemapVisitOptions) {
    this.#options = options
  }

  /** All pages in the sitemaps of these pages' sites, in order. */
  async pagesOf(seeds: readonly string[]): Promise<string[]> {
    const origins = [...new Set(seeds.map(originOf))]
    await new Promise<unknown>((resolve, reject) => {
      this.#reject = reject
      Promise.all(origins.map((origin) => this.#visit(origin))).then(resolve, reject)
    })
    return [...this.#pages]
  }

  /** The crawl cannot continue: rejects the visit, whose requests may never have a result. */
  fail(error: Error): void {
    this.stop()
    this.#reject?.(error)
  }

  stop(): void {
    this.#stopped = true
    for (const wake of this.#wakes) wake()
  }

  async #visit(origin: string): Promise<void> {
    const { access, sites } = this.#options.desk
    const site = sites.numberOf(siteOf(`${origin}/`)!)
    // Its robots.txt names the sitemaps.
    if (!(await this.#isReady(site, origin))) return
    const named = access.rulesOf(origin).sitemaps.map((place) => sitemapUrl(place, origin))
    const files = new Set(named.length > 0 ? named : [`${origin}/sitemap.xml`])
    let visited = 0
    for (const file of files) {
      if (visited++ >= filesMax || this.#isFull) {
        this.#options.missed?.()
        break
      }
      const result = file === undefined ? undefined : await this.#ask(file)
      const isRead = result !== undefined && result.failure === undefined && result.status === 200
      // A site need not have one at the usual path.
      if (!isRead && named.length > 0) this.#options.missed?.()
      if (!isRead) continue
      if (result.cut === true) this.#options.missed?.()
      if (result.links === '') continue
      result.links.split('\n').forEach((url, i) => {
        if (result.anchors?.[i] === 'sitemap') files.add(url)
        else if (!this.#isFull) this.#pages.add(url)
      })
      this.#options.progress?.(this.#pages.size)
    }
  }

  get #isFull(): boolean {
    return this.#stopped || this.#pages.size >= pagesMax
  }

  /** Looks up robots.txt; false if the site cannot be reached. */
  async #isReady(site: number, origin: string): Promise<boolean> {
    const claim = new SideClaim(this.#options.desk)
    const attempt = (done: (outcome: Preparation) => void): void =>
      claim.prepare({ site, url: `${origin}/` }, done)
    return (await this.#tried(claim, attempt))?.kind === 'ready'
  }

  async #ask(url: string): Promise<FetchResult | undefined> {
    const { desk } = this.#options
    const claim = new SideClaim(desk)
    const origin = originOf(url)
    const site = desk.sites.numberOf(siteOf(url)!)
    const request = { site, url, purpose: 'sitemap', isFirst: !this.#slow.has(origin) } as const
    const outcome = await this.#tried<SideOutcome>(claim, (done) => claim.attempt(request, done))
    if (outcome?.kind !== 'result') return undefined
    if (desk.isTooSlow(origin)) this.#slow.add(origin)
    desk.line.keep(outcome.thread, { id: outcome.result.id })
    return outcome.result
  }

  /** Repeats what is to be tried again later; undefined if it has failed too often, or the visit was stopped. */
  async #tried<Outcome extends SideOutcome | Preparation>(
    claim: SideClaim,
    attempt: (done: (outcome: Outcome) => void) => void,
  ): Promise<Outcome | undefined> {
    const { desk } = this.#options
    let misses = 0
    while (!this.#stopped) {
      const outcome: SideOutcome | Preparation = await new Promise<Outcome>((resolve) => attempt(resolve))
      if (outcome.kind === 'refused' || outcome.kind === 'ready') return outcome as Outcome
      const isResult = outcome.kind === 'result'
      if (isResult && outcome.consequence.kind !== 'again') return outcome as Outcome
      const at = isResult ? outcome.end + outcome.gapSeconds : outcome.at
      if (isResult || outcome.error !== undefined) misses++
      const isLast = misses >= missesMax || at - desk.now() > restSecondsMax
      if (isLast && isResult) return outcome as Outcome
      if (isLast) break
      if (isResult) desk.line.keep(outcome.thread, { id: outcome.result.id, drop: true })
      await this.#pause(at - desk.now())
    }
    claim.release()
    return undefined
  }

  #pause(seconds: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer)
        this.#wakes.delete(wake)
        resolve()
      }
      const timer = setTimeout(wake, Math.max(0, Math.ceil(1000 * seconds)))
      this.#wakes.add(wake)
    })
  }
}

/** The URL of a sitemap that robots.txt names; undefined if it cannot be requested. */
export function sitemapUrl(place: string, origin: string): string | undefined {
  const url = isUrl(place, `${origin}/`) ? new URL(place, `${origin}/`).href : undefined
  return url !== undefined && /^https?:/.test(url) ? withoutForeignUser(url, `${origin}/`) : undefined
}
