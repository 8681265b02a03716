/**
 * Limits what one client can take of something that all clients share, such as event streams. A client is an address, with or
 * without the token: on a machine with several users, all have the same address, so that a part is kept for those who have
 * the token.
 */
import { isIPv6 } from 'node:net'

export interface Client {
  readonly address: string
  /** True if it has the token, or the cookie of a login. */
  readonly isKnown: boolean
}

export interface Limits {
  readonly ofAll: number
  readonly ofOne: number
  /** Of all clients without the token together. */
  readonly ofUnknown: number
}

/** Why there is no place: this client has as many as it may have, or all are taken. */
export type Refusal = 'one' | 'all'

export class ClientLimits {
  readonly #limits: Limits
  readonly #taken = new Map<string, number>()
  #unknown = 0
  #all = 0

  constructor(limits: Limits) {
    this.#limits = limits
  }

  /** Takes a place until the returned function is called. */
  take({ address, isKnown }: Client): (() => void) | Refusal {
    const key = `${networkOf(address)} ${isKnown}`
    const taken = this.#taken.get(key) ?? 0
    if (taken >= this.#limits.ofOne) return 'one'
    if (this.#all >= this.#limits.ofAll || (!isKnown && this.#unknown >= this.#limits.ofUnknown)) return 'all'
    this.#count(key, isKnown, 1)
    let isTaken = true
    return () => {
      if (isTaken) this.#count(key, isKnown, -1)
      isTaken = false
    }
  }

  #count(key: string, isKnown: boolean, change: 1 | -1): void {
    const taken = (this.#taken.get(key) ?? 0) + change
    if (taken === 0) this.#taken.delete(key)
    else this.#taken.set(key, taken)
    this.#all += change
    if (!isKnown) this.#unknown += change
  }
}

/** A host has all addresses of an IPv6 network of 64 bits. */
function networkOf(address: string): string {
  const [, ipv4] = /^::ffff:([\d.]+)$/i.exec(address) ?? []
  if (ipv4 !== undefined || !isIPv6(address)) return ipv4 ?? address
  const [head, tail] = address.replace(/%.*$/, '').split('::')
  const groups = head.split(':').filter((group) => group !== '')
  const rest = tail === undefined ? [] : tail.split(':').filter((group) => group !== '')
  const zeros = Array.from({ length: Math.max(0, 8 - groups.length - rest.length) }, () => '0')
  return [...groups, ...(tail === undefined ? [] : zeros), ...rest].slice(0, 4).join(':')
}
