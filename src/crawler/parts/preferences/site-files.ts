/**
 * The files of a site that say more about the use of its pages: `/.well-known/tdmrep.json`, and the RSL licence that robots.txt names, if
 * it is on the same origin. Only a crawl with a purpose requests them, once a day, before the first page of the origin. They are recorded
 * as robots.txt is.
 */
import { isUrl } from '../../../lib/host.ts'
import type { Desk } from '../../desk/desk.ts'
import type { RobotsRecord } from '../../desk/robots-cache.ts'
import { SideClaim, type SideOutcome, type SideResult } from '../../desk/side-requests.ts'
import { originOf } from '../../desk/site-access.ts'
import { licenceOf, reservationsOf, type OwnerStatements } from './owner-statements.ts'

interface SiteFilesOptions {
  readonly desk: Desk
  readonly record: {
    readRobots(name: string): RobotsRecord | undefined
    writeRobots(name: string, file: RobotsRecord): void
  }
  readonly statements: OwnerStatements
  readonly wake: () => void
}

/** Files hold for a day, as robots.txt does. */
const heldSeconds = 24 * 3600
const originsMax = 20_000

/** The files of an origin that are being requested. */
interface Visit {
  readonly origin: string
  readonly site: number
  readonly claim: SideClaim
  /** Those that are left: the name in the record, and the URL. */
  readonly files: [name: string, url: string][]
  attempts: number
  dueAt: number
}

export class SiteFiles {
  readonly #options: SiteFilesOptions
  /** By origin: until when its files hold. */
  readonly #known = new Map<string, number>()
  readonly #visits = new Map<string, Visit>()

  constructor(options: SiteFilesOptions) {
    this.#options = options
  }

  /** Whether the files of this page's origin are known. If not, they will be requested. */
  areKnown(site: number, url: string): boolean {
    const origin = originOf(url)
    if (this.#visits.has(origin)) return false
    const now = this.#options.desk.now()
    if ((this.#known.get(origin) ?? 0) > now) return true
    const files = this.#filesOf(origin).filter(([name]) => !this.#isRecorded(name, now))
    if (files.length === 0) this.#know(origin)
    else {
      const claim = new SideClaim(this.#options.desk)
      this.#visits.set(origin, { origin, site, claim, files, attempts: 0, dueAt: 0 })
      this.#options.wake()
    }
    return files.length === 0
  }

  /** Requests what is due; returns when there is more to do. */
  turn(): number {
    const now = this.#options.desk.now()
    let next = Infinity
    for (const visit of this.#visits.values()) {
      if (visit.claim.isBusy) continue
      if (visit.dueAt <= now) this.#request(visit)
      if (!visit.claim.isBusy && this.#visits.has(visit.origin)) next = Math.min(next, visit.dueAt)
    }
    return next
  }

  stop(): void {
    for (const { claim } of this.#visits.values()) if (!claim.isBusy) claim.release()
  }

  #filesOf(origin: string): [name: string, url: string][] {
    const well = reservationsOf(origin)
    const [licence] = this.#options.statements.licencesOf(origin)
    const isGiven = licence !== undefined && isUrl(licence, `${origin}/`)
    const url = isGiven ? new URL(licence, `${origin}/`) : undefined
    return [
      [well, well],
      ...(url?.origin === origin ? [[licenceOf(origin), url.href] as [string, string]] : []),
    ]
  }

  #isRecorded(name: string, now: number): boolean {
    const file = this.#options.record.readRobots(name)
    return file !== undefined && file.at + heldSeconds > now
  }

  #request(visit: Visit): void {
    const { site, claim, files, attempts } = visit
    const request = {
      site,
      url: files[0][1],
      purpose: 'robots',
      attempt: attempts + 1,
      isFirst: true,
    } as const
    claim.attempt(request, (outcome) => {
      this.#ended(visit, outcome)
      this.#options.wake()
    })
  }

  #ended(visit: Visit, outcome: SideOutcome): void {
    const { desk } = this.#options
    if (outcome.kind === 'result') this.#received(visit, outcome)
    else if (outcome.kind === 'later') {
      visit.dueAt = outcome.at
      if (outcome.error !== undefined && !desk.reachability.isNetworkDown) this.#missed(visit)
    } else this.#have(visit, undefined)
  }

  #received(visit: Visit, { result, thread, consequence, end, gapSeconds }: SideResult): void {
    const { desk } = this.#options
    visit.dueAt = end + gapSeconds
    const isAgain = consequence.kind === 'again' || consequence.kind === 'missed'
    if (result.failure === undefined)
      desk.line.keep(thread, isAgain ? { id: result.id, drop: true } : { id: result.id })
    if (isAgain) this.#missed(visit)
    else {
      const text = Buffer.from(result.body ?? []).toString('latin1')
      // A redirect is not followed: it is no such file.
      const status = consequence.kind === 'fetched' && result.location === undefined ? result.status : 404
      this.#have(visit, { at: end, status, text })
    }
  }

  /** After the last attempt, the file counts as missing in this session. */
  #missed(visit: Visit): void {
    if (++visit.attempts >= this.#options.desk.retries.attempts) this.#have(visit, undefined)
  }

  #have(visit: Visit, file: RobotsRecord | undefined): void {
    const [[name]] = visit.files.splice(0, 1)
    visit.attempts = 0
    if (file !== undefined) this.#options.record.writeRobots(name, file)
    if (visit.files.length > 0) return
    visit.claim.release(visit.dueAt)
    this.#visits.delete(visit.origin)
    this.#know(visit.origin)
  }

  #know(origin: string): void {
    const { desk, statements } = this.#options
    if (this.#known.size >= originsMax) this.#known.clear()
    this.#known.set(origin, desk.now() + heldSeconds)
    statements.forget(origin)
  }
}
