/**
 * What each kind of page has earned and spent. A trap is a kind whose pages keep leading to ever more of their own kind, or
 * to copies of what is there already. So every kind starts with a little credit and pays for such pages; it earns by being
 * linked to from pages of other kinds, by leading to pages of other kinds, and by links back to pages that have come already,
 * which a program that makes up pages has no reason for.
 *
 * An endless calendar is linked to once and leads to itself: it has spent what it has after a few dozen pages. A list of
 * articles in a thousand parts earns with every part; pages that lead nowhere cost nothing, however many.
 */
import { GrowingFloat64 } from '../lib/growing-array.ts'

export interface AccountRules {
  /** What every kind may spend before it has earned anything. */
  readonly first: number
  /** For each page that was first found on a page of another kind in good standing, which was no copy. */
  readonly fromOutside: number
  /** For each new page of another kind in good standing that a page leads to, and the most for one page. */
  readonly ledTo: number
  readonly ledToMax: number
  /** For each link to a page of the same kind that has come already, and the most for one page. */
  readonly relink: number
  readonly relinkMax: number
  /** What a page costs that was made by its own kind and makes more of it; what a copy costs. */
  readonly offspring: number
  readonly copy: number
  /** Spent this many times what was earned, a kind is closed. */
  readonly closedAt: number
}

export const defaultAccountRules: AccountRules = {
  first: 16,
  fromOutside: 0.5,
  ledTo: 1,
  ledToMax: 4,
  relink: 0.5,
  relinkMax: 2,
  offspring: 1,
  copy: 2,
  closedAt: 2,
}

/** `poor`: its pages wait until nothing better is left. `closed`: no more of them. */
export type Standing = 'good' | 'poor' | 'closed'

/** What one fetched page did. */
export interface PageDeeds {
  /** Was it, and the page that it was found on, found on a page of its kind? */
  readonly isOffspring: boolean
  readonly isCopy: boolean
  /** New pages of its kind, and of other kinds in good standing, that were found on it. */
  readonly madeOwn: number
  readonly ledTo: number
  /** Its links to pages of its kind that have come already, but for those that it was found on. */
  readonly relinks: number
}

export class KindAccounts {
  readonly #rules: AccountRules
  readonly #numbers = new Map<string, number>()
  readonly #earned = new GrowingFloat64(64)
  readonly #spent = new GrowingFloat64(64)

  constructor(rules: AccountRules = defaultAccountRules) {
    this.#rules = rules
  }

  numberOf(kind: string): number {
    const known = this.#numbers.get(kind)
    if (known !== undefined) return known
    const number = this.#numbers.size
    this.#numbers.set(kind, number)
    this.#earned.ensure(number)
    this.#spent.ensure(number)
    this.#earned.array[number] = this.#rules.first
    return number
  }

  /** A page of this kind was first found on a page of another. */
  foundFromOutside(kind: number): void {
    this.#earned.array[kind] += this.#rules.fromOutside
  }

  fetched(kind: number, deeds: PageDeeds): void {
    const { ledTo, ledToMax, relink, relinkMax, offspring, copy } = this.#rules
    if (deeds.isCopy) {
      this.#spent.array[kind] += copy
      return
    }
    this.#earned.array[kind] +=
      Math.min(ledToMax, ledTo * deeds.ledTo) + Math.min(relinkMax, relink * deeds.relinks)
    if (deeds.isOffspring && deeds.madeOwn > 0) this.#spent.array[kind] += offspring
  }

  standing(kind: number): Standing {
    const earned = this.#earned.array[kind]
    const spent = this.#spent.array[kind]
    if (spent < earned) return 'good'
    return spent < this.#rules.closedAt * earned ? 'poor' : 'closed'
  }
}
