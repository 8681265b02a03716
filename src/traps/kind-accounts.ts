/**
 * The credit of each kind of page. A trap is a kind whose pages keep leading to more pages of their own kind,
 * or to copies of known pages. Every kind starts with some credit and pays for such pages. It earns credit by
 * links to pages already fetched, which a page generator has no reason to make, and by every page of a new
 * shape that it has or that one of its pages leads to.
 *
 * An endless calendar is linked to once, leads only to itself, and its days all look the same: its credit is
 * spent after a few dozen pages. A list of articles in a thousand parts earns credit with every article.
 * Pages that lead nowhere cost nothing.
 *
 * A kind that makes up a large share of all pages is the subject of the crawl and is never closed.
 */
import { fingerprint } from '../lib/fingerprint.ts'
import { GrowingFloat64 } from '../lib/growing-array.ts'
import { transferNumbering, transferSet } from '../lib/state-collections.ts'
import type { StateCodec } from '../lib/state.ts'

export interface AccountRules {
  /** Initial credit of every kind. */
  readonly first: number
  /** Credit for a page of a shape new to its kind: for its kind, and for that of the page it was found on. */
  readonly newShape: number
  readonly ledToNewShape: number
  /** Credit for each link to a fetched page of the same kind, and its maximum per page. */
  readonly relink: number
  readonly relinkMax: number
  /** Cost of a page found through two pages of its own kind that leads to more of them. */
  readonly offspring: number
  /** Cost of a copy, and of a page that differs from another only in numbers. */
  readonly copy: number
  readonly sameShape: number
  /** A kind is closed when it has spent this many times what it earned. */
  readonly closedAt: number
  /** Exempt if it has this share of all fetched pages. */
  readonly mainShare: number
}

export const defaultAccountRules: AccountRules = {
  first: 32,
  newShape: 0.5,
  ledToNewShape: 0.5,
  relink: 0.5,
  relinkMax: 2,
  offspring: 1,
  copy: 2,
  sameShape: 0.25,
  closedAt: 2,
  mainShare: 0.2,
}

/** `poor`: its pages wait until no better ones are left. `closed`: no more of them are fetched. */
export type Standing = 'good' | 'poor' | 'closed'

/** The effects of one fetched page. */
export interface PageDeeds {
  /** Whether it and the page that it was found on were both found on a page of its kind. */
  readonly isOffspring: boolean
  readonly isCopy: boolean
  readonly isNewShape: boolean
  /** Number of new pages of its kind found on it. */
  readonly madeOwn: number
  /** Number of links to fetched pages of its kind, except those that it was found on. */
  readonly relinks: number
}

const kindsMax = 1_000_000

export class KindAccounts {
  readonly #rules: AccountRules
  /** By fingerprint: names may be long, and hostile sites have many. */
  readonly #numbers = new Map<number, number>()
  readonly #words = new Uint32Array(2)
  readonly #earned = new GrowingFloat64(64)
  readonly #spent = new GrowingFloat64(64)
  readonly #came = new GrowingFloat64(64)
  #cameInAll = 0
  readonly #suspects = new Set<number>()

  constructor(rules: AccountRules = defaultAccountRules) {
    this.#rules = rules
  }

  numberOf(kind: string): number {
    fingerprint(kind, this.#words, 0)
    const key = (this.#words[1] & 0x1f_ffff) * 2 ** 32 + this.#words[0]
    const known = this.#numbers.get(key)
    if (known !== undefined) return known
    // When the table is full, all further kinds share one account.
    const number = Math.min(this.#numbers.size, kindsMax - 1)
    if (this.#numbers.size < kindsMax) this.#numbers.set(key, number)
    this.#earned.ensure(number)
    this.#spent.ensure(number)
    this.#came.ensure(number)
    if (this.#earned.array[number] === 0) this.#earned.array[number] = this.#rules.first
    return number
  }

  fetched(kind: number, deeds: PageDeeds): void {
    const { newShape, relink, relinkMax, offspring, copy, sameShape } = this.#rules
    this.#came.array[kind]++
    this.#cameInAll++
    if (deeds.isCopy) {
      this.#spent.array[kind] += copy
      return
    }
    this.#earned.array[kind] += Math.min(relinkMax, relink * deeds.relinks)
    if (deeds.isOffspring && deeds.madeOwn > 0) this.#spent.array[kind] += offspring
    else if (deeds.isNewShape) this.#earned.array[kind] += newShape
    else this.#spent.array[kind] += sameShape
  }

  /** One of its pages has led to a page of another kind with a new shape. */
  ledToNewShape(kind: number): void {
    this.#earned.array[kind] += this.#rules.ledToNewShape
  }

  /** `mayBeMain`: whether it may be the subject of the crawl. */
  standing(kind: number, mayBeMain = true): Standing {
    const earned = this.#earned.array[kind]
    const spent = this.#spent.array[kind]
    const { closedAt, mainShare } = this.#rules
    if (spent < earned) return 'good'
    // A small overdrawn account does not recover by growing.
    const isMain = this.#came.array[kind] >= mainShare * this.#cameInAll && !this.#suspects.has(kind)
    if (mayBeMain && isMain) return 'good'
    this.#suspects.add(kind)
    return spent < closedAt * earned ? 'poor' : 'closed'
  }

  transfer(state: StateCodec): void {
    state.section('kind accounts', 1)
    transferNumbering(state, this.#numbers)
    state.growing(this.#earned)
    state.growing(this.#spent)
    state.growing(this.#came)
    this.#cameInAll = state.number(this.#cameInAll)
    transferSet(state, this.#suspects)
  }
}
