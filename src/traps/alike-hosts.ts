/**
 * Hosts without end: where every name under a domain answers (wildcard DNS), each new host would have budgets of its own. So the
 * hosts of a registered domain are compared. One that has shown nothing new, but copies, the same texts or nearly, or what differs
 * in numbers alone, is *alike*; it is *settled* when it has done so four times, or has no more pages to show.
 *
 * Where a domain has many hosts of which at least half are alike, hosts that nothing has come from yet wait until the last. Once
 * half are settled, these and the settled ones stand under one name, that of the domain, and share one budget. A host that has
 * shown something new keeps its own name, and a domain is left alone as soon as most of its hosts turn out to differ: blogs on one
 * domain are not touched, nor branches that have only their front page in common.
 *
 * Which domain a host belongs to is asked when its first page comes. Hosts after the last that fit are left alone.
 */

import type { StateCodec } from '../lib/state.ts'

/** Hosts that a domain must have shown before anything is said of it. */
const hostsMin = 16
const shareMin = 0.5
const chances = 4
const hostsMax = 200_000
/** Shapes that are remembered of a domain. */
const shapesMax = 64

interface HostState {
  domain: DomainHosts | undefined
  found: number
  came: number
  isAlike: boolean
  isSettled: boolean
}

interface DomainHosts {
  readonly name: string
  hosts: number
  alike: number
  settled: number
  /** What its hosts show, without numbers: the first few. */
  readonly shapes: Set<number>
}

export class AlikeHosts {
  readonly #domainOf: (host: string) => string
  readonly #hosts = new Map<string, HostState>()
  readonly #domains = new Map<string, DomainHosts>()
  /** Domains of which half the hosts are alike. */
  #suspects = 0

  constructor(domainOf: (host: string) => string) {
    this.#domainOf = domainOf
  }

  /** A page was found. */
  found(host: string): void {
    const known = this.#hosts.get(host)
    if (known !== undefined) known.found++
    else if (this.#hosts.size < hostsMax) {
      this.#hosts.set(host, { domain: undefined, found: 1, came: 0, isAlike: false, isSettled: false })
    }
  }

  /** A page came. `isRepeated`: it says nothing new. `shape` stands for its text without numbers; 0: nothing is known. */
  came(host: string, isRepeated: boolean, shape: number): void {
    const state = this.#hosts.get(host)
    if (state === undefined) return
    const isFirst = state.came++ === 0
    if (!isFirst && !state.isAlike) return
    const domain = (state.domain ??= this.#domain(host))
    this.#suspects -= isSuspect(domain) ? 1 : 0
    if (isFirst) domain.hosts++
    const isAlike = isRepeated || (shape !== 0 && domain.shapes.has(shape))
    if (!isAlike && domain.shapes.size < shapesMax) domain.shapes.add(shape)
    const isSettled = isAlike && (state.came >= chances || state.came >= state.found)
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

  /** What a host stands under: its own name, or that of its domain. */
  nameOf(host: string): string {
    const domain = this.#suspectDomain(host)
    return domain !== undefined && domain.settled >= shareMin * domain.hosts ? `*.${domain.name}` : host
  }

  /** Is it one more of many that are alike, as far as anybody knows? */
  waits(host: string): boolean {
    return this.#suspectDomain(host) !== undefined
  }

  /** The domain of a host that has shown nothing, or nothing new, where that is one of hosts that are alike. */
  #suspectDomain(host: string): DomainHosts | undefined {
    if (this.#suspects === 0) return undefined
    const state = this.#hosts.get(host)
    if (state !== undefined && state.came > 0 && !state.isSettled) return undefined
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
    const came = state.array(Float64Array.from(hosts, (host) => host.came))
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
        came: came[i],
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
