/** The figures of each host: its pages by state, counted when they are read, and its requests, as they are recorded. */
import type { PageStates } from '../../../engine/page-states.ts'
import { stateOf, type PageState } from '../../../engine/page-totals.ts'
import { noSite } from '../../../engine/world.ts'
import { GrowingFloat64, GrowingUint32 } from '../../../lib/growing-array.ts'
import type { Hosts } from './hosts.ts'

/** What a table of sites says about pages, by their state. */
const groupOf = {
  fetched: 'fetched',
  redirect: 'redirects',
  waiting: 'waiting',
  failed: 'failed',
  temporary: 'failed',
  unreachable: 'failed',
  robots: 'robots',
  limit: 'limits',
  scope: 'limits',
} as const satisfies Readonly<Record<PageState, string>>

type PageGroup = (typeof groupOf)[PageState]

/** Numbers of pages by host. `failed`: for good or for now, or unreachable. */
export type HostPages = Readonly<Record<PageGroup, Uint32Array>>

export class SiteFigures {
  readonly #hosts: Hosts
  readonly requests = new GrowingUint32(64)
  /** Of all responses, those to repeated requests included. */
  readonly bytes = new GrowingFloat64(64)
  readonly #ms = new GrowingFloat64(64)

  constructor(hosts: Hosts) {
    this.#hosts = hosts
  }

  /** A page of this host was requested. */
  requested(host: number, { bytes, durationMs }: { bytes: number; durationMs: number }): void {
    this.requests.ensure(host)
    this.bytes.ensure(host)
    this.#ms.ensure(host)
    this.requests.array[host]++
    this.bytes.array[host] += bytes
    this.#ms.array[host] += durationMs
  }

  /** Number of hosts with at least one requested page. */
  get requestedCount(): number {
    let count = 0
    for (let host = 0; host < this.requests.length; host++) if (this.requests.array[host] > 0) count++
    return count
  }

  /** Mean duration of the requests; 0 without one. */
  meanMs(host: number): number {
    const requests = this.requests.array[host] ?? 0
    return requests === 0 ? 0 : this.#ms.array[host] / requests
  }

  counted(pages: PageStates): HostPages {
    const groups = Object.values(groupOf).map((group) => [group, new Uint32Array(this.#hosts.siteCount)])
    const counts = Object.fromEntries(groups) as Record<PageGroup, Uint32Array>
    for (let page = 0; page < pages.known; page++) {
      const host = this.#hosts.of(pages.siteOf(page))
      if (host !== noSite) counts[groupOf[stateOf(pages, page)]][host]++
    }
    return counts
  }
}
