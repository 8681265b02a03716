/**
 * Watches a crawl for traps: told of every page that is found and of every page that came, it says how each kind of page
 * stands before more of it is asked for. Pure, and the same in both worlds; 2 bytes a known page.
 */
import { GrowingUint16, GrowingUint32, GrowingUint8 } from '../lib/growing-array.ts'
import { defaultAccountRules, KindAccounts, type PageDeeds, type Standing } from './kind-accounts.ts'
import { familyOf, kindOf } from './page-kind.ts'
import { ParameterLessons } from './parameter-lessons.ts'
import { defaultShapeLimits, trapShape, type ShapeLimits, type TrapShape } from './url-shape.ts'

export interface TrapWatchOptions {
  readonly limits?: ShapeLimits | undefined
}

/** Why a page is not to be asked for: the shape of its URL, a closed kind or family, or a page that is there already. */
export type TrapReason = TrapShape | 'closed-kind' | 'copies' | 'same-but-for-parameters'

export type TrapVerdict =
  | { readonly standing: Exclude<Standing, 'closed'> }
  | { readonly standing: 'closed'; readonly reason: TrapReason }

/** A page that came, as far as traps go. */
export interface PageThatCame {
  readonly links: Uint32Array
  readonly linkCount: number
  /** Pages from this number on were found on it. */
  readonly knownBefore: number
  /** The page that it was found on, and the one that that was found on; -1: none. */
  readonly ancestors: readonly [parent: number, grandparent: number]
  readonly isCopy: boolean
  /** Stands for what the page shows; 0: nothing. */
  readonly text: number
}

/** A family lives by what is new in it: for each such page it may have half a copy. */
const familyRules = { ...defaultAccountRules, first: 24, relink: 1, relinkMax: 1 }
const newPage = { isOffspring: false, isCopy: false, madeOwn: 0, ledTo: 0, relinks: 1 }
const copy = { ...newPage, isCopy: true }

function familyDeeds(isCopy: boolean): PageDeeds {
  return isCopy ? copy : newPage
}

const good: TrapVerdict = { standing: 'good' }
const poor: TrapVerdict = { standing: 'poor' }

export class TrapWatch {
  readonly #limits: ShapeLimits
  readonly #accounts = new KindAccounts()
  /** All that lies below one name at the top of a site: pages of many kinds, of which most are copies. */
  readonly #families = new KindAccounts(familyRules)
  readonly #parameters = new ParameterLessons()
  /** Numbers of kinds, the low 16 bits: two kinds that share them are taken for one here, which does little harm. */
  readonly #kinds = new GrowingUint16()
  readonly #familyOfKind = new GrowingUint32(64)
  /** A bit a page: has it come? */
  readonly #came = new GrowingUint8()

  constructor({ limits = defaultShapeLimits }: TrapWatchOptions = {}) {
    this.#limits = limits
  }

  /** A page was found. */
  found(page: number, url: string): void {
    const kind = this.#accounts.numberOf(kindOf(url))
    this.#kinds.ensure(page)
    this.#kinds.array[page] = kind
    this.#familyOfKind.ensure(kind)
    this.#familyOfKind.array[kind] = this.#families.numberOf(familyOf(url))
  }

  /** A page came. */
  fetched(page: number, url: string, came: PageThatCame): void {
    const kind = this.#accounts.numberOf(kindOf(url))
    const own = kind & 0xffff
    const kinds = this.#kinds.array
    const [parent, grandparent] = came.ancestors
    const isOffspring = parent >= 0 && grandparent >= 0 && kinds[parent] === own && kinds[grandparent] === own
    const deeds = { ...this.#linkDeeds(own, came), isOffspring, isCopy: came.isCopy }
    if (came.text !== 0) this.#parameters.fetched(kind, url, came.text)
    this.#accounts.fetched(kind, deeds)
    this.#families.fetched(this.#families.numberOf(familyOf(url)), familyDeeds(came.isCopy))
    this.#came.ensure(page >> 3)
    this.#came.array[page >> 3] |= 1 << (page & 7)
  }

  #linkDeeds(own: number, came: PageThatCame): { madeOwn: number; ledTo: number; relinks: number } {
    const { links, linkCount, knownBefore, ancestors } = came
    const kinds = this.#kinds.array
    const isTrusted = !came.isCopy && this.#isGood(own)
    let madeOwn = 0
    let ledTo = 0
    let relinks = 0
    for (let i = 0; i < linkCount; i++) {
      const target = links[i]
      const isOwn = kinds[target] === own
      if (target < knownBefore)
        relinks += isOwn && !ancestors.includes(target) && this.#hasCome(target) ? 1 : 0
      else if (isOwn) madeOwn++
      else if (this.#isGood(kinds[target])) {
        ledTo++
        if (isTrusted) this.#accounts.foundFromOutside(kinds[target])
      }
    }
    return { madeOwn, ledTo, relinks }
  }

  #isGood(kind: number): boolean {
    const family = this.#familyOfKind.array[kind]
    return this.#accounts.standing(kind) === 'good' && this.#families.standing(family) !== 'closed'
  }

  #hasCome(page: number): boolean {
    return (this.#came.array[page >> 3] & (1 << (page & 7))) !== 0
  }

  /** May this page be asked for? `isKnown`: is there a page with this URL? */
  verdict(url: string, isKnown: (url: string) => boolean): TrapVerdict {
    const shape = trapShape(url, this.#limits)
    if (shape !== undefined) return { standing: 'closed', reason: shape }
    const kind = this.#accounts.numberOf(kindOf(url))
    const rest = this.#parameters.without(kind, url)
    if (rest !== url && (isKnown(rest) || this.#parameters.isCopy(kind, url))) {
      return { standing: 'closed', reason: 'same-but-for-parameters' }
    }
    if (this.#families.standing(this.#families.numberOf(familyOf(url))) === 'closed') {
      return { standing: 'closed', reason: 'copies' }
    }
    const standing = this.#accounts.standing(kind)
    if (standing === 'closed') return { standing, reason: 'closed-kind' }
    return standing === 'good' ? good : poor
  }

  get byteLength(): number {
    return this.#kinds.array.byteLength
  }
}
