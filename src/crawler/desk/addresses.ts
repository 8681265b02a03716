/**
 * The address of a site, resolved at intervals and checked. Connections go to the checked address, so a name
 * cannot resolve to one address for the check and to another for the connection.
 */
import { lookup, Resolver } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'
import { addressRules } from './rules.ts'

export interface Place {
  readonly address: string
  /** If it is not the URL's own. */
  readonly port?: number | undefined
}

interface AddressOptions {
  /** Allow private, local and loopback addresses. */
  readonly allowPrivate?: boolean | undefined
  /** `HOST1:PORT1:HOST2:PORT2`, as in curl. */
  readonly connectTo?: readonly string[] | undefined
  /** DNS servers, `ADDRESS` or `ADDRESS:PORT`, in place of the system's and of its hosts file. */
  readonly dnsServers?: readonly string[] | undefined
  /** Timeout of a DNS query in seconds, at most 5. */
  readonly limitSeconds?: number | undefined
  /** Which addresses are public; default `isPublicAddress`. */
  readonly isPublic?: ((address: string) => boolean) | undefined
}

/**
 * Why there is no address: the name does not exist, no DNS server responds, or the address is not allowed.
 */
export type NoPlace = 'no-address' | 'no-answer' | 'private-address'

const questionSecondsMax = 5
const secondsMin = 60
const secondsMax = 24 * 3600
/** A name that did not resolve is queried again after this time. */
const failureSeconds = 60
/** Maximum number of cached names; the oldest are dropped. */
const namesMax = 100_000

interface Remembered {
  readonly place: Place | NoPlace
  readonly until: number
}

export class Addresses {
  readonly #allowPrivate: boolean
  readonly #rules: readonly ConnectRule[]
  readonly #resolver: Resolver
  readonly #asksSystem: boolean
  readonly #isPublic: (address: string) => boolean
  readonly #remembered = new Map<string, Remembered>()

  constructor(options: AddressOptions = {}) {
    const { dnsServers = [], limitSeconds = questionSecondsMax } = options
    this.#allowPrivate = options.allowPrivate ?? false
    this.#isPublic = options.isPublic ?? isPublicAddress
    this.#rules = (options.connectTo ?? []).map(connectRule)
    this.#resolver = new Resolver({ timeout: 1000 * Math.min(questionSecondsMax, limitSeconds), tries: 2 })
    this.#asksSystem = dnsServers.length === 0
    if (!this.#asksSystem) this.#resolver.setServers(dnsServers)
  }

  /** The cached result for this host and port; undefined if it must be resolved. `now` is in seconds. */
  known(host: string, port: number, now: number): Place | NoPlace | undefined {
    const remembered = this.#remembered.get(`${host}:${port}`)
    return remembered !== undefined && remembered.until > now ? remembered.place : undefined
  }

  async resolve(host: string, port: number, now: number): Promise<Place | NoPlace> {
    const { place, seconds } = await this.#resolved(host, port)
    if (this.#remembered.size >= namesMax) {
      const [oldest] = this.#remembered.keys()
      this.#remembered.delete(oldest)
    }
    this.#remembered.set(`${host}:${port}`, { place, until: now + seconds })
    return place
  }

  async #resolved(host: string, port: number): Promise<{ place: Place | NoPlace; seconds: number }> {
    const rule = this.#rules.find((candidate) => candidate.matches(host, port))
    const target = rule === undefined || rule.host === '' ? host : rule.host
    const found = await this.#lookup(bare(target))
    if (typeof found === 'string')
      return { place: found, seconds: found === 'no-answer' ? 0 : failureSeconds }
    const { addresses, seconds } = found
    // An address given by the user is allowed.
    const isNamed = this.#allowPrivate || (rule !== undefined && rule.host !== '')
    const address = addresses.find((candidate) => addressRules.isAllowed(this.#isPublic(candidate), isNamed))
    if (address === undefined) return { place: 'private-address', seconds }
    return { place: { address, port: rule?.port }, seconds }
  }

  async #lookup(host: string): Promise<Found | NoPlace> {
    if (isIP(host) !== 0) return { addresses: [host], seconds: secondsMax }
    if (host === 'localhost' || host.endsWith('.localhost')) {
      return { addresses: ['127.0.0.1'], seconds: secondsMax }
    }
    try {
      return timed(await this.#resolver.resolve4(host, { ttl: true }))
    } catch (error) {
      return this.#asksSystem ? this.#systemLookup(host) : this.#lookup6(host, error)
    }
  }

  /** With custom servers only: IPv6 addresses, if there is no IPv4 address. */
  async #lookup6(host: string, error: unknown): Promise<Found | NoPlace> {
    if (!isNoName(error)) return 'no-answer'
    try {
      return timed(await this.#resolver.resolve6(host, { ttl: true }))
    } catch (error6) {
      return isNoName(error6) ? 'no-address' : 'no-answer'
    }
  }

  /** The system's resolver, which also reads the hosts file and returns IPv6 addresses. */
  async #systemLookup(host: string): Promise<Found | NoPlace> {
    try {
      const found = await lookup(host, { all: true })
      return { addresses: found.map((record) => record.address), seconds: 300 }
    } catch (error) {
      return error instanceof Error && 'code' in error && error.code === 'EAI_AGAIN'
        ? 'no-answer'
        : 'no-address'
    }
  }
}

interface Found {
  readonly addresses: readonly string[]
  readonly seconds: number
}

function timed(records: readonly { address: string; ttl: number }[]): Found {
  const ttl = Math.min(...records.map((record) => record.ttl))
  return {
    addresses: records.map((record) => record.address),
    seconds: Math.min(secondsMax, Math.max(secondsMin, ttl)),
  }
}

/** Whether the server said that the name or address does not exist, as opposed to no response. */
function isNoName(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === 'ENOTFOUND' || code === 'ENODATA' || code === 'EBADNAME'
}

interface ConnectRule {
  readonly host: string
  readonly port: number | undefined
  matches(host: string, port: number): boolean
}

const connectToForm = /^(\[[^\]]*\]|[^:]*):(\d*):(\[[^\]]*\]|[^:]*):(\d*)$/

export function isConnectTo(text: string): boolean {
  return connectToForm.test(text)
}

function connectRule(text: string): ConnectRule {
  const [, fromHost, fromPort, host, port] = connectToForm.exec(text)!
  return {
    host,
    port: port === '' ? undefined : Number(port),
    matches: (wantedHost, wantedPort) =>
      (fromHost === '' || bare(fromHost).toLowerCase() === bare(wantedHost)) &&
      (fromPort === '' || Number(fromPort) === wantedPort),
  }
}

function bare(host: string): string {
  return host.replace(/^\[|\]$/g, '')
}

/** Addresses that are not public: private, local, reserved, for documentation, multicast. */
const closed = new BlockList()
for (const range of [
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24',
  '192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4',
].flatMap((line) => line.split(' '))) {
  const [network, prefix] = range.split('/')
  closed.addSubnet(network, Number(prefix), 'ipv4')
}
// Of version 6 only the global unicast block is public, and not those parts of it that wrap another address.
const open6 = new BlockList()
open6.addSubnet('2000::', 3, 'ipv6')
const wrapping6 = new BlockList()
for (const [network, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const) {
  wrapping6.addSubnet(network, prefix, 'ipv6')
}

export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !closed.check(address, 'ipv4')
  return open6.check(address, 'ipv6') && !wrapping6.check(address, 'ipv6')
}
