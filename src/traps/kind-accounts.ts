/**
 * What each kind of page has earned and spent. A trap is a kind whose pages keep leading to ever more of their own kind, or
 * to copies of what is there already. So every kind starts with some credit and pays for such pages. It earns by links back
 * to pages that have come already, which a program that makes up pages has no reason for; and by every page of a new shape
 * that it has, or that one of its pages has led to.
 *
 * An endless calendar is linked to once, leads to itself, and its days look all the same: it has spent what it has after a
 * few dozen pages. A list of articles in a thousand parts earns with every article; pages that lead nowhere cost nothing,
 * however many.
 *
 * A kind that is a good part of all pages is what the crawl is about, and is never closed.
 */
import { fingerprint } from '../lib/fingerprint.ts'
import { GrowingFloat64 } from '../lib/growing-array.ts'
import { transferNumbering, transferSet } from '../lib/state-collections.ts'
import type { StateCodec } from '../lib/state.ts'

export interface AccountRules {
  /** What every kind may spend before it has earned anything. */
  readonly first: number
  /** For a page of a shape that its kind did not have: to its kind, and to that of the page it was found on. */
  readonly newShape: number
  readonly ledToNewShape: number
  /** For each link to a page of the same kind that has come already, and the most for one page. */
  readonly relink: number
  readonly relinkMax: number
  /** What a page costs that was made by its own kind twice over and makes more of it. */
  readonly offspring: number
  /** What a copy costs, and a page that differs from another in numbers alone. */
  readonly copy: number
  readonly sameShape: number
  /** Spent this many times what was earned, a kind is closed. */
  readonly closedAt: number
  /** Unless it has this share of all pages that came. */
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

/** `poor`: its pages wait until nothing better is left. `closed`: no more of them. */
export type Standing = 'good' | 'poor' | 'closed'

/** What one fetched page did. */
export interface PageDeeds {
  /** Was it, and the page that it was found on, found on a page of its kind? */
  readonly isOffspring: boolean
  readonly isCopy: boolean
  readonly isNewShape: boolean
  /** New pages of its kind that were found on it. */
  readonly madeOwn: number
  /** Its links to pages of its kind that have come already, but for those that it was found on. */
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
    // All that come after the last are one.
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

  /** One of its pages has led to a page of another kind, which was of a new shape. */
  ledToNewShape(kind: number): void {
    this.#earned.array[kind] += this.#rules.ledToNewShape
  }

  /** `mayBeMain`: may it be what the crawl is about? */
  standing(kind: number, mayBeMain = true): Standing {
    const earned = this.#earned.array[kind]
    const spent = this.#spent.array[kind]
    const { closedAt, mainShare } = this.#rules
    if (spent < earned) return 'good'
    // What was overdrawn while it was small does not get better by growing.
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
