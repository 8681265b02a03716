/**
 * Requests of pages that have arrived and wait for them, such as for the scripts that render them: views. They are side requests
 * (side-requests.ts), with one difference: a person who looks at a page does not wait between its files either. So a host gets a few
 * requests of a view one after the other without gaps, a *burst*, and rests afterwards for the sum of the gaps that it was owed. Its mean
 * rate over a view is the one that it is promised.
 *
 *   page arrives ─▶ view ─▶ request, request, … ─▶ rest of their gaps ─▶ request … ─▶ closed: the hosts rest for the gaps still owed
 *
 * A host has one line for all views, and one request at a time. The page of a view keeps the connection of its site: requests to that
 * site go within it, also those of other views, so that two pages that need each other's sites do not wait for each other.
 */
import type { FetchResult } from '../world/fetch-result.ts'
import type { Kept } from '../world/messages.ts'
import { errorName } from '../world/outcome-policy.ts'
import { siteOf } from '../../web/url/site.ts'
import type { Desk } from './desk.ts'
import { gaps } from './rules.ts'
import { SideClaim, type SideOutcome, type SideResult } from './side-requests.ts'
import { originOf } from './site-access.ts'

/** What became of a request. */
export interface ViewAnswer {
  /** Undefined if it was not sent, or there was no response. */
  readonly result: FetchResult | undefined
  readonly error: string | undefined
  /** Filled in when the response is archived. */
  place?: (Kept & { readonly thread: number }) | undefined
}

export interface ViewedPage {
  readonly site: number
  readonly url: string
  /** How long its own request took. */
  readonly tookSeconds: number
}

interface Job {
  readonly view: View
  readonly url: string
  readonly done: (answer: ViewAnswer) => void
  attempts: number
}

interface ViewRequestsOptions {
  readonly desk: Desk
  /** Requests without a gap between them. */
  readonly burst: number
}

export class ViewRequests {
  readonly #options: ViewRequestsOptions
  readonly #lines = new Map<string, HostLine>()

  constructor(options: ViewRequestsOptions) {
    this.#options = options
  }

  /** `close` must follow. */
  open(page: ViewedPage): View {
    const view = new View((host) => this.#lineOf(host))
    this.#options.desk.arrived(page.site)
    this.#lineOf(siteOf(page.url) ?? '').hold(view, page)
    return view
  }

  #lineOf(host: string): HostLine {
    const known = this.#lines.get(host)
    if (known !== undefined) return known
    const line = new HostLine(this.#options, host, () => this.#lines.delete(host))
    this.#lines.set(host, line)
    return line
  }
}

/** The requests of one page. */
export class View {
  readonly #lineOf: (host: string) => HostLine
  readonly lines = new Set<HostLine>()

  constructor(lineOf: (host: string) => HostLine) {
    this.#lineOf = lineOf
  }

  request(url: string): Promise<ViewAnswer> {
    const host = siteOf(url)
    if (host === undefined) return Promise.resolve(unsent('bad-url'))
    return new Promise((done) => this.#lineOf(host).add({ view: this, url, done, attempts: 0 }))
  }

  /** Requests that wait are not sent. Resolves when none is under way at the page's own site. */
  async close(): Promise<void> {
    await Promise.all([...this.lines].map((line) => line.leave(this)))
  }
}

/** The requests of all views to one host. */
class HostLine {
  readonly #options: ViewRequestsOptions
  readonly #host: string
  readonly #onIdle: () => void
  readonly #claim: SideClaim
  readonly #views = new Set<View>()
  #jobs: Job[] = []
  #isBusy = false
  /** The view whose page has the connection of this site. */
  #holder: View | undefined
  #timer: NodeJS.Timeout | undefined
  /** Gaps that the host is owed, since when, and for how many requests. */
  #owedSeconds = 0
  #lastEnd = 0
  #sent = 0
  #restUntil = 0
  readonly #waiting: (() => void)[] = []
  readonly #archiving = new Map<number, ViewAnswer>()

  constructor(options: ViewRequestsOptions, host: string, onIdle: () => void) {
    this.#options = options
    this.#host = host
    this.#onIdle = onIdle
    this.#claim = new SideClaim(options.desk)
    this.#claim.onKept = (kept, thread) => {
      const answer = this.#archiving.get(kept.id)
      this.#archiving.delete(kept.id)
      if (answer !== undefined && kept.serial >= 0) answer.place = { ...kept, thread }
    }
  }

  get #site(): number {
    return this.#options.desk.sites.numberOf(this.#host)
  }

  /** This page has the connection of the site, which is owed its gap. */
  hold(view: View, { url, tookSeconds }: ViewedPage): void {
    const { desk } = this.#options
    const origin = originOf(url)
    this.#claim.release()
    this.#holder = view
    this.#join(view)
    this.#lastEnd = desk.now()
    this.#owedSeconds += desk.gap(origin, tookSeconds, 0)
    if (this.#isUnhurried(origin)) this.#rest()
  }

  #join(view: View): void {
    this.#views.add(view)
    view.lines.add(this)
  }

  add(job: Job): void {
    this.#join(job.view)
    this.#jobs.push(job)
    this.#next()
  }

  async leave(view: View): Promise<void> {
    this.#views.delete(view)
    for (const job of this.#jobs) if (job.view === view && job !== this.#underWay) job.done(unsent('closed'))
    this.#jobs = this.#jobs.filter((job) => job.view !== view || job === this.#underWay)
    if (this.#holder === view) {
      if (this.#isBusy) await new Promise<void>((resolve) => this.#waiting.push(resolve))
      this.#rest()
      this.#holder = undefined
    }
    this.#endIfIdle()
  }

  get #underWay(): Job | undefined {
    return this.#isBusy ? this.#jobs[0] : undefined
  }

  #next(): void {
    if (this.#isBusy || this.#jobs.length === 0) return
    const { desk } = this.#options
    clearTimeout(this.#timer)
    const waitMs = 1000 * (this.#restUntil - desk.now())
    if (waitMs > 0) {
      this.#timer = setTimeout(() => this.#next(), Math.ceil(waitMs))
      return
    }
    const [job] = this.#jobs
    this.#isBusy = true
    const request = {
      site: this.#site,
      url: job.url,
      purpose: 'requisite',
      attempt: job.attempts + 1,
      wantsBody: true,
      isWithin: this.#holder !== undefined,
      isHeld: true,
    } as const
    this.#claim.attempt(request, (outcome) => this.#ended(job, outcome))
  }

  #ended(job: Job, outcome: SideOutcome): void {
    this.#isBusy = false
    for (const resolve of this.#waiting.splice(0)) resolve()
    if (outcome.kind === 'refused') this.#settle(unsent(outcome.error))
    else if (outcome.kind === 'later') {
      this.#restUntil = Math.max(this.#restUntil, outcome.at)
      if (outcome.error !== undefined && this.#isLastAttempt(job)) this.#settle(unsent(outcome.error))
    } else this.#received(job, outcome)
    this.#next()
    this.#endIfIdle()
  }

  #received(job: Job, { result, thread, consequence, end, gapSeconds }: SideResult): void {
    const { desk, burst } = this.#options
    this.#lastEnd = end
    this.#owedSeconds += gapSeconds
    this.#sent++
    if (gapSeconds > 0) desk.leave(this.#site, originOf(job.url), end + gapSeconds)
    const isAgain = consequence.kind === 'again' || consequence.kind === 'missed'
    if (isAgain || this.#sent >= burst || this.#isUnhurried(originOf(job.url))) this.#rest()
    if (isAgain && !this.#isLastAttempt(job)) {
      if (result.failure === undefined) desk.line.keep(thread, { id: result.id, drop: true })
      return
    }
    const isResponse = result.failure === undefined
    const answer: ViewAnswer = {
      result,
      error: consequence.kind === 'fetched' ? undefined : errorName(result),
    }
    if (isResponse) {
      this.#archiving.set(result.id, answer)
      desk.line.keep(thread, { id: result.id })
    }
    this.#settle(answer)
  }

  #settle(answer: ViewAnswer): void {
    this.#jobs.shift()?.done(answer)
  }

  #isLastAttempt(job: Job): boolean {
    return ++job.attempts >= Math.min(3, this.#options.desk.retries.attempts)
  }

  /** A host with a Crawl-delay gets no bursts. */
  #isUnhurried(origin: string): boolean {
    return gaps.crawlDelay(this.#options.desk, origin) > 0
  }

  /** The host rests for the gaps that it is owed. */
  #rest(): void {
    if (this.#owedSeconds === 0) return
    const { desk } = this.#options
    this.#restUntil = Math.max(this.#restUntil, this.#lastEnd + this.#owedSeconds)
    this.#owedSeconds = 0
    this.#sent = 0
    if (this.#holder !== undefined) desk.restUntil(this.#site, this.#restUntil)
    else this.#claim.release(this.#restUntil)
  }

  /** No view uses the host any more. */
  #endIfIdle(): void {
    if (this.#views.size > 0 || this.#isBusy || this.#jobs.length > 0) return
    clearTimeout(this.#timer)
    this.#rest()
    this.#claim.release(this.#restUntil)
    this.#onIdle()
  }
}

function unsent(error: string): ViewAnswer {
  return { result: undefined, error }
}
