/**
 * Requests for the sitemaps and feeds that are due, as side requests (desk/side-requests.ts). Between two sources of a
 * site there are at least ten gaps, so that they take a tenth of its time at most.
 */
import type { Desk } from '../../desk/desk.ts'
import { SideClaim, type SideOutcome } from '../../desk/side-requests.ts'
import type { FetchResult } from '../../world/fetch-result.ts'
import type { SourceSchedule } from './source-schedule.ts'
import { siteOf } from '../../../web/url/site.ts'

export interface SourceRequestsOptions {
  readonly schedule: SourceSchedule
  readonly desk: Desk
  /** Called if a source can be requested earlier than `turn` has returned. */
  readonly wake: () => void
}

/** A result and its source. */
export interface SourceFetched {
  readonly source: number
  readonly result: FetchResult
  /** When the response ended, by the clock of the crawl. */
  readonly at: number
}

/** Requests under way at a time. */
const openMax = 8
/** Gaps of a site between the requests for two of its sources. */
const gapsPerSource = 10
/** The shortest wait for a host, and the wait while another source of the site is requested. */
const busySeconds = 0.1
const claimedSeconds = 1

export class SourceRequests {
  readonly #options: SourceRequestsOptions
  /** By source. */
  readonly #claims = new Map<number, SideClaim>()
  /** When the next source of a site may be requested; Infinity: one is under way or has a claim. */
  readonly #siteFreeAt = new Map<number, number>()
  #underWay = 0
  #fetched: SourceFetched[] = []
  #isStopped = false

  constructor(options: SourceRequestsOptions) {
    this.#options = options
  }

  /** Requests what is due; returns when there is more to do, as far as that is known. */
  turn(): number {
    const { schedule, desk } = this.#options
    if (this.#isStopped) return Infinity
    while (this.#underWay < openMax) {
      const source = schedule.take(desk.now())
      if (source === undefined) return schedule.nextDue
      this.#begin(source)
    }
    // The end of a request leads to the next turn.
    return Infinity
  }

  /** Requests nothing more. */
  stop(): void {
    this.#isStopped = true
    for (const [source, claim] of this.#claims) if (!claim.isBusy) this.#drop(source, claim)
  }

  /** Whether a request is under way, or will be sent. */
  get isBusy(): boolean {
    return !this.#isStopped && (this.#underWay > 0 || this.#options.schedule.nextDue < Infinity)
  }

  get hasFetched(): boolean {
    return this.#fetched.length > 0
  }

  /** The results since the last call. */
  takeFetched(): readonly SourceFetched[] {
    const fetched = this.#fetched
    this.#fetched = []
    return fetched
  }

  #begin(source: number): void {
    const { schedule, desk } = this.#options
    const site = this.#siteOf(source)
    const claim = this.#claims.get(source) ?? new SideClaim(desk)
    if (!this.#claims.has(source)) {
      const restUntil = this.#restOf(site)
      if (restUntil > desk.now()) {
        schedule.postpone(source, restUntil)
        return
      }
      this.#claims.set(source, claim)
      this.#siteFreeAt.set(site, Infinity)
    }
    this.#underWay++
    const request = {
      site,
      url: schedule.urlOf(source),
      purpose: 'sitemap',
      ...schedule.conditions(source),
    } as const
    claim.attempt(request, (outcome) => {
      this.#ended(source, claim, outcome)
      this.#options.wake()
    })
  }

  #ended(source: number, claim: SideClaim, outcome: SideOutcome): void {
    const { schedule, desk } = this.#options
    this.#underWay--
    if (outcome.kind === 'later') {
      if (!claim.isClaimed || this.#isStopped) this.#drop(source, claim)
      schedule.postpone(source, Math.max(outcome.at, desk.now() + (claim.isClaimed ? busySeconds : 0)))
      return
    }
    this.#drop(source, claim)
    if (outcome.kind === 'refused') {
      schedule.settle(source, desk.now(), { kind: 'failed' })
      return
    }
    const { result, thread, end, gapSeconds } = outcome
    // Every version of a sitemap or feed is archived once.
    desk.line.keep(thread, { id: result.id, drop: this.#isUnchanged(source, result) })
    this.#siteFreeAt.set(this.#siteOf(source), end + gapsPerSource * gapSeconds)
    if (result.failure === 'aborted') schedule.postpone(source, end)
    else this.#fetched.push({ source, result, at: end })
  }

  #isUnchanged(source: number, { status, bodyLow, bodyHigh }: FetchResult): boolean {
    return status === 304 || this.#options.schedule.hasPrint(source, bodyLow, bodyHigh)
  }

  #drop(source: number, claim: SideClaim): void {
    claim.release()
    this.#claims.delete(source)
    this.#siteFreeAt.delete(this.#siteOf(source))
  }

  /** The site that is requested. It may be another one than the site that the source speaks for. */
  #siteOf(source: number): number {
    const { schedule, desk } = this.#options
    return desk.sites.numberOf(siteOf(schedule.urlOf(source)) ?? '')
  }

  #restOf(site: number): number {
    const now = this.#options.desk.now()
    const freeAt = this.#siteFreeAt.get(site) ?? 0
    if (freeAt <= now) this.#siteFreeAt.delete(site)
    return freeAt === Infinity ? now + claimedSeconds : freeAt
  }
}
