/**
 * Requests the robots.txt of some origins, and a seed of each, as a crawl would: by its desk, with its identity, and without a second
 * attempt.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { ownHosts } from '../options/request-options.ts'
import { retryRules, threadSettings, type CrawlSettings } from '../options/crawl-settings.ts'
import { AddressRests } from '../desk/address-rests.ts'
import { Addresses } from '../desk/addresses.ts'
import { Desk } from '../desk/desk.ts'
import { clientSettings, proxiesOf } from '../parts/all-parts.ts'
import { RobotsCache, type RobotsRecord } from '../desk/robots-cache.ts'
import type { Readiness } from '../desk/site-access.ts'
import { Wire } from '../desk/wire.ts'
import { SideClaim, type SideOutcome } from '../desk/side-requests.ts'
import { FetchThread } from '../fetch/fetch-thread.ts'
import type { FetchResult } from '../world/fetch-result.ts'
import { robotsOfStatus } from '../../web/robots/robots-answer.ts'
import type { RobotsRules } from '../../web/robots/robots-rules.ts'
import { SiteTable } from '../world/site-table.ts'
import { siteOf } from '../../web/url/site.ts'
import { systemSeconds } from './system-clock.ts'
import { readSecrets } from './request-secrets.ts'

/** The response to the request for robots.txt. */
export type RobotsResponse =
  /** The rules of a file, or none because the site has no such file. */
  | { readonly kind: 'rules' | 'none'; readonly rules: RobotsRules; readonly address: string | undefined }
  /** Without robots.txt, nothing of the site may be fetched. */
  | { readonly kind: 'unreachable'; readonly error: string }

export class RobotsRequests {
  readonly #desk: Desk
  readonly #thread: FetchThread
  readonly #files = new Map<string, RobotsRecord>()

  constructor(settings: CrawlSettings) {
    const { credentials, parts } = readSecrets(settings)
    const wire = new Wire({ isArchived: false, wake() {}, broken() {} })
    const made = {
      ...threadSettings(settings, 0, { bodies: false }, undefined),
      ...clientSettings(settings, parts),
      credentials,
    }
    const thread = new FetchThread(made, (message) => {
      if (message.kind === 'results') for (const result of message.results) wire.received(result, 0)
    })
    wire.use({
      count: 1,
      fetch: (_thread, connection) => thread.take({ kind: 'fetch', connections: [connection] }),
      keep() {},
      read() {},
      cut() {},
      flush() {},
      abortRequests() {},
    })
    this.#thread = thread
    const now = systemSeconds
    const retries = retryRules(settings)
    this.#desk = new Desk({
      sites: new SiteTable(ownHosts(settings)),
      addresses: new Addresses(settings),
      robots: settings.robotsTxt
        ? new RobotsCache(settings.userAgent, {
            readRobots: (origin) => this.#files.get(origin),
            writeRobots: (origin, record) => void this.#files.set(origin, record),
          })
        : undefined,
      turns: new AddressRests(settings.waitPerAddress, now),
      proxies: proxiesOf({ settings, backOff: retries, now }, parts),
      // A site that does not respond is not given up: nothing else of it is requested.
      retries: { ...retries, attempts: Infinity },
      outageSeconds: 0,
      slowMax: Infinity,
      waits: () => settings,
      onSlow() {},
      openLine: (onResult) => wire.line(onResult),
      now,
    })
  }

  async ask(origin: string, signal?: AbortSignal): Promise<RobotsResponse> {
    const desk = this.#desk
    const host = siteOf(origin) ?? ''
    const site = desk.sites.numberOf(host)
    for (;;) {
      // The other scheme of the host may be requested at the same time.
      const restSeconds = desk.hosts.restOf(host) - desk.now()
      if (restSeconds > 0) {
        await sleep(Math.ceil(1000 * restSeconds), undefined, { signal })
        continue
      }
      desk.hosts.occupy(host)
      const readiness = await new Promise<Readiness>((resolve) => desk.prepare(site, origin, resolve))
      desk.hosts.release(host, desk.now() + restOf(desk, origin, readiness))
      if (readiness.kind === 'ready') return this.#response(origin)
      const error = errorOf(readiness)
      if (error !== undefined) return { kind: 'unreachable', error }
    }
  }

  /** The response to a page; undefined if it must not be requested, or the site cannot be reached. */
  async page(url: string, signal?: AbortSignal): Promise<FetchResult | undefined> {
    const desk = this.#desk
    const claim = new SideClaim(desk)
    const request = {
      site: desk.sites.numberOf(siteOf(url) ?? ''),
      url,
      purpose: 'page',
      isFirst: true,
    } as const
    for (;;) {
      const outcome = await new Promise<SideOutcome>((resolve) => claim.attempt(request, resolve))
      if (outcome.kind === 'result') return outcome.result
      if (outcome.kind === 'refused' || outcome.error !== undefined) return undefined
      await sleep(Math.max(0, Math.ceil(1000 * (outcome.at - desk.now()))), undefined, { signal })
    }
  }

  close(): void {
    this.#thread.take({ kind: 'close' })
  }

  #response(origin: string): RobotsResponse {
    const { access } = this.#desk
    const isFile = robotsOfStatus(this.#files.get(origin)?.status) === 'parse'
    const place = access.placeOf(origin)
    const address = place === undefined || place === 'proxy' ? undefined : place.address
    return { kind: isFile ? 'rules' : 'none', rules: access.rulesOf(origin), address }
  }
}

/** Undefined if it redirects, or waits for its turn. */
function errorOf(readiness: Readiness): string | undefined {
  const isStatus = readiness.kind === 'later' && readiness.status !== undefined
  return isStatus
    ? `http-${readiness.status}`
    : readiness.kind === 'ready'
      ? undefined
      : readiness.error?.replace(/^robots-/, '')
}

function restOf(desk: Desk, origin: string, readiness: Readiness): number {
  if (readiness.kind === 'unreachable') return 0
  const restSeconds = readiness.kind === 'later' ? readiness.restSeconds : 0
  return readiness.wasAsked ? desk.gap(origin, 0, restSeconds) : restSeconds
}
