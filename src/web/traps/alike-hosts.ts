/**
 * Detects unlimited hosts: with wildcard DNS, every name under a domain resolves, and each new host would
 * have its own budgets. So the hosts of a registered domain are compared. A host is *alike* if all its
 * fetched pages repeat known content: copies, the same or nearly the same texts, or texts that differ only in
 * numbers. It is *settled* after four such pages, or when all its known pages are fetched.
 *
 * If a domain has at least 16 hosts and at least half are alike, its settled hosts and those without a
 * fetched page wait until last. Once half of the hosts are settled, these are treated as one host, named by
 * the domain, with one budget. A host with new content keeps its own name, and a domain is exempt as soon as
 * more than half of its hosts have new content: blogs on one domain are unaffected, and so are branches that
 * have only their front page in common.
 *
 * The domain of a host is determined when its first page is fetched. When the table is full, further hosts
 * are ignored.
 */

import type { StateCodec } from '../../lib/state.ts'

/** Minimum number of hosts of a domain before it is judged. */
const hostsMin = 16
const shareMin = 0.5
const chances = 4
const hostsMax = 200_000
/** Number of shapes remembered per domain. */
const shapesMax = 64

interface HostState {
  domain: DomainHosts | undefined
  found: number
  fetched: number
  isAlike: boolean
  isSettled: boolean
}

interface DomainHosts {
  readonly name: string
  hosts: number
  alike: number
  settled: number
  /** Shapes of its hosts' texts, without numbers: the first few. */
  readonly shapes: Set<number>
}

export class AlikeHosts {
  readonly #domainOf: (host: string) => string
  readonly #hosts = new Map<string, HostState>()
  readonly #domains = new Map<string, DomainHosts>()
  /** Number of domains with many hosts of which at least half are alike. */
  #suspects = 0

  constructor(domainOf: (host: string) => string) {
    this.#domainOf = domainOf
  }

  /** A page was found. */
  found(host: string): void {
    const known = this.#hosts.get(host)
    if (known !== undefined) known.found++
    else if (this.#hosts.size < hostsMax) {
      this.#hosts.set(host, { domain: undefined, found: 1, fetched: 0, isAlike: false, isSettled: false })
    }
  }

  /**
   * A page was fetched. `isRepeated`: it has no new content. `shape`: fingerprint of its text without
   * numbers; 0 if unknown.
   */
  fetched(host: string, isRepeated: boolean, shape: number): void {
    const state = this.#hosts.get(host)
    if (state === undefined) return
    const isFirst = state.fetched++ === 0
    if (!isFirst && !state.isAlike) return
    const domain = (state.domain ??= this.#domain(host))
    this.#suspects -= isSuspect(domain) ? 1 : 0
    if (isFirst) domain.hosts++
    const isAlike = isRepeated || (shape !== 0 && domain.shapes.has(shape))
    if (!isAlike && domain.shapes.size < shapesMax) domain.shapes.add(shape)
    const isSettled = isAlike && (state.fetched >= chances || state.fetched >= state.found)
    domain.alike += Number(isAlike) - Number(state.isAlike)
    domain.settled += Number(isSettled) - Number(state.isSettled)
    state.isAlike = isAlike
    state.isSettled = isSettled
    this.#suspects += isSuspect(domain) ? 1 : 0
  }

  #domain(host: string): DomainHosts {
    const name = this.#domainOf(host)
    const known = this.#domains.get(name)
    if (known !== undefined) return known
    const domain = { name, hosts: 0, alike: 0, settled: 0, shapes: new Set<number>() }
    this.#domains.set(name, domain)
    return domain
  }

  /** The name that a host is counted under: its own or that of its domain. */
  nameOf(host: string): string {
    const domain = this.#suspectDomain(host)
    return domain !== undefined && domain.settled >= shareMin * domain.hosts ? `*.${domain.name}` : host
  }

  /**
   * Whether the host waits until last: its domain has many alike hosts, and it has no page with new content
   * so far.
   */
  waits(host: string): boolean {
    return this.#suspectDomain(host) !== undefined
  }

  /**
   * The domain of a host that is settled or has no fetched page, if at least half of the domain's hosts are
   * alike.
   */
  #suspectDomain(host: string): DomainHosts | undefined {
    if (this.#suspects === 0) return undefined
    const state = this.#hosts.get(host)
    if (state !== undefined && state.fetched > 0 && !state.isSettled) return undefined
    const domain = state?.domain ?? this.#domains.get(this.#domainOf(host))
    return domain !== undefined && isSuspect(domain) ? domain : undefined
  }

  transfer(state: StateCodec): void {
    state.section('alike hosts', 1)
    this.#suspects = state.number(this.#suspects)
    this.#transferDomains(state)
    this.#transferHosts(state)
  }

  #transferDomains(state: StateCodec): void {
    const domains = [...this.#domains.values()]
    const names = state.texts(domains.map(({ name }) => name))
    const counts = state.array(
      Float64Array.from(
        domains.flatMap(({ hosts, alike, settled, shapes }) => [hosts, alike, settled, shapes.size]),
      ),
    )
    const shapes = state.array(Float64Array.from(domains.flatMap((domain) => [...domain.shapes])))
    if (!state.isReading) return
    let at = 0
    names.forEach((name, i) => {
      const [hosts, alike, settled, size] = counts.subarray(4 * i, 4 * i + 4)
      this.#domains.set(name, {
        name,
        hosts,
        alike,
        settled,
        shapes: new Set(shapes.subarray(at, (at += size))),
      })
    })
  }

  #transferHosts(state: StateCodec): void {
    const numbers = new Map([...this.#domains.values()].map((domain, i) => [domain, i]))
    const hosts = [...this.#hosts.values()]
    const names = state.texts([...this.#hosts.keys()])
    const found = state.array(Float64Array.from(hosts, (host) => host.found))
    const fetched = state.array(Float64Array.from(hosts, (host) => host.fetched))
    const marks = state.array(
      Uint8Array.from(hosts, (host) => Number(host.isAlike) + 2 * Number(host.isSettled)),
    )
    const domainOf = state.array(
      Uint32Array.from(hosts, ({ domain }) =>
        domain === undefined ? noDomain : (numbers.get(domain) ?? noDomain),
      ),
    )
    if (!state.isReading) return
    const domains = [...this.#domains.values()]
    names.forEach((name, i) =>
      this.#hosts.set(name, {
        domain: domainOf[i] === noDomain ? undefined : domains[domainOf[i]],
        found: found[i],
        fetched: fetched[i],
        isAlike: (marks[i] & 1) !== 0,
        isSettled: (marks[i] & 2) !== 0,
      }),
    )
  }
}

const noDomain = 0xffff_ffff

function isSuspect({ hosts, alike }: DomainHosts): boolean {
  return hosts >= hostsMin && alike >= shareMin * hosts
}
