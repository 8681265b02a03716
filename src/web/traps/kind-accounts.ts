/**
 * The credit of each kind of page. A trap is a kind whose pages keep leading to more pages of their own kind,
 * or to copies of known pages. Every kind starts with some credit and pays for such pages. It earns credit by
 * links to pages already fetched, which page generators rarely have, and by every page of a new shape that it
 * has or that one of its pages leads to.
 *
 * An endless calendar is linked to once, leads only to itself, and its days all look the same: its credit is
 * spent after a few dozen pages. A list of articles in a thousand parts earns credit with every article. A
 * page that leads to no further pages of its kind costs nothing if its shape is new, and little if not.
 *
 * A kind that has spent its credit is put last. It is closed, so that its pages are refused, only after a long
 * *row*: fetched pages, one after the other, that brought neither new text nor led to a page of another kind with
 * new text. A page counts for the row by how little it may have brought:
 *
 *   the same text as another page, or a redirect                       1
 *   nearly the same text, or one that differs in its numbers only      1/16
 *   a new text, on a page that only leads to more pages of its kind    1/160
 *
 * So a kind is closed after 64 copies, 1,024 pages that differ in numbers, or 10,240 that are found on one another.
 *
 * A kind that makes up a large share of all fetched pages is the subject of the crawl and is not put last,
 * unless its credit was spent while its share was small.
 */
import { GrowingFloat64 } from '../../lib/growing-array.ts'
import { transferSet } from '../../lib/state-views.ts'
import type { StateCodec } from '../../lib/state.ts'
import { namesMax, Numbering } from './numbering.ts'

interface AccountRules {
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
  /** A kind is put last when it has spent this many times what it earned, */
  readonly poorAt: number
  /** and closed when it has spent this many times that, after a row of this length. */
  readonly closedAt: number
  readonly rowMax: number
  /** A kind with this share of all fetched pages is exempt. */
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
  poorAt: 1,
  closedAt: 2,
  rowMax: 64,
  mainShare: 0.2,
}

/** What a page adds to the row of its kind; a page that is not listed here ends the row. */
const inRow = { repeated: 1, littleNew: 1 / 16, onlyLeadsOn: 1 / 160 } as const

/** `poor`: its pages wait until no better ones are left. `closed`: its pages are not fetched any more. */
export type Standing = 'good' | 'poor' | 'closed'

/** Whether a page has a text that was not seen before. `little`: it differs from an earlier text in numbers or a few words. */
export type News = 'new' | 'little' | 'none'

/** What a kind has earned and spent. */
export interface KindAccount {
  readonly earned: number
  readonly spent: number
  readonly standing: Standing
  /** Number of pages in its row. */
  readonly row: number
}

/** The effects of one fetched page. */
export interface PageDeeds {
  /** Whether it and the page that it was found on were both found on a page of its kind. */
  readonly isOffspring: boolean
  readonly isCopy: boolean
  readonly isNewShape: boolean
  /** Default: by `isCopy`. */
  readonly news?: News
  /** Number of new pages of its kind found on it. */
  readonly madeOwn: number
  /** Number of links to fetched pages of its kind, except those that it was found on. */
  readonly relinks: number
}

export class KindAccounts {
  readonly #rules: AccountRules
  readonly #kinds = new Numbering()
  readonly #earned = new GrowingFloat64(64)
  readonly #spent = new GrowingFloat64(64)
  readonly #fetchedPages = new GrowingFloat64(64)
  /** The length of each kind's row, and its number of pages. */
  readonly #rows = new GrowingFloat64(64)
  readonly #rowPages = new GrowingFloat64(64)
  #fetchedInAll = 0
  readonly #suspects = new Set<number>()

  constructor(rules: AccountRules = defaultAccountRules) {
    this.#rules = rules
  }

  numberOf(kind: string): number {
    // When the table is full, all further kinds share the last account.
    const number = this.#kinds.add(kind) ?? namesMax - 1
    if (number < this.#earned.length) return number
    this.#earned.ensure(number)
    this.#spent.ensure(number)
    this.#fetchedPages.ensure(number)
    this.#rows.ensure(number)
    this.#rowPages.ensure(number)
    this.#earned.array[number] = this.#rules.first
    return number
  }

  fetched(kind: number, deeds: PageDeeds): void {
    const { newShape, relink, relinkMax, offspring, copy, sameShape } = this.#rules
    this.#fetchedPages.array[kind]++
    this.#fetchedInAll++
    this.#countInRow(kind, deeds)
    if (deeds.isCopy) {
      this.#spent.array[kind] += copy
      return
    }
    this.#earned.array[kind] += Math.min(relinkMax, relink * deeds.relinks)
    if (deeds.isOffspring && deeds.madeOwn > 0) this.#spent.array[kind] += offspring
    else if (deeds.isNewShape) this.#earned.array[kind] += newShape
    else this.#spent.array[kind] += sameShape
  }

  #countInRow(
    kind: number,
    { isCopy, isOffspring, madeOwn, news = isCopy ? 'none' : 'new' }: PageDeeds,
  ): void {
    if (news === 'none') this.#rows.array[kind] += inRow.repeated
    else if (news === 'little') this.#rows.array[kind] += inRow.littleNew
    else if (isOffspring && madeOwn > 0) this.#rows.array[kind] += inRow.onlyLeadsOn
    else {
      this.#endRow(kind)
      return
    }
    this.#rowPages.array[kind]++
  }

  #endRow(kind: number): void {
    this.#rows.array[kind] = 0
    this.#rowPages.array[kind] = 0
  }

  /** One of its pages has led to a page of another kind with a new shape. */
  ledToNewShape(kind: number): void {
    this.#earned.array[kind] += this.#rules.ledToNewShape
    this.#endRow(kind)
  }

  /** `mayBeMain`: whether it may be the subject of the crawl. */
  standing(kind: number, mayBeMain = true): Standing {
    const earned = this.#earned.array[kind]
    const spent = this.#spent.array[kind]
    const { poorAt, mainShare } = this.#rules
    if (spent < poorAt * earned) return 'good'
    // A kind that spent its credit while its share was small stays suspect, even if the share grows.
    const isMain =
      this.#fetchedPages.array[kind] >= mainShare * this.#fetchedInAll && !this.#suspects.has(kind)
    if (mayBeMain && isMain) return 'good'
    this.#suspects.add(kind)
    return this.#isClosed(kind) ? 'closed' : 'poor'
  }

  #isClosed(kind: number): boolean {
    const { closedAt, rowMax } = this.#rules
    return this.#spent.array[kind] >= closedAt * this.#earned.array[kind] && this.#rows.array[kind] >= rowMax
  }

  /** Number of pages in the row of a kind. */
  rowOf(kind: number): number {
    return this.#rowPages.array[kind]
  }

  /** The account of a kind, which is not created; undefined if there is none. */
  accountOf(kind: string): KindAccount | undefined {
    const number = this.#kinds.find(kind)
    if (number === undefined) return undefined
    const earned = this.#earned.array[number]
    const spent = this.#spent.array[number]
    // As `standing`, without its effect on suspects.
    const isSuspect = spent >= this.#rules.poorAt * earned && this.#suspects.has(number)
    const standing = !isSuspect ? 'good' : this.#isClosed(number) ? 'closed' : 'poor'
    return { earned, spent, standing, row: this.rowOf(number) }
  }

  transfer(state: StateCodec): void {
    state.section('kind accounts', 3)
    this.#kinds.transfer(state)
    state.growing(this.#earned)
    state.growing(this.#spent)
    state.growing(this.#fetchedPages)
    state.growing(this.#rows)
    state.growing(this.#rowPages)
    this.#fetchedInAll = state.number(this.#fetchedInAll)
    transferSet(state, this.#suspects)
  }
}
