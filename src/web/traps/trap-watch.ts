/**
 * Detects traps: it receives every page found and every page fetched, and rates each kind of page before more
 * of it is requested. Pure, and the same in both worlds; 2 bytes per known page.
 */
import { GrowingUint16, GrowingUint8 } from '../../lib/growing-array.ts'
import { transferSet } from '../../lib/state-views.ts'
import type { StateCodec } from '../../lib/state.ts'
import { AlikeHosts } from './alike-hosts.ts'
import { defaultAccountRules, KindAccounts } from './kind-accounts.ts'
import type { KindAccount, News, PageDeeds, Standing } from './kind-accounts.ts'
import { KeyedPages } from './keyed-pages.ts'
import { familyOf, hostIn, kindOf } from './page-kind.ts'
import { PageViews, pathOf } from './page-views.ts'
import { ParameterLessons } from './parameter-lessons.ts'
import { TextWatch } from './text-watch.ts'
import { defaultShapeLimits, trapShape, type ShapeLimits, type TrapShape } from './url-shape.ts'

interface TrapWatchOptions {
  readonly limits?: ShapeLimits | undefined
  /** Returns the registered domain of a host. Default: each host is its own. */
  readonly domainOf?: ((host: string) => string) | undefined
}

/**
 * Why a page is not requested: the shape of its URL, a closed kind or family, or an equal page that has been
 * fetched.
 */
type TrapReason = TrapShape | 'closed-kind' | 'copies' | 'same-but-for-parameters'

type TrapVerdict =
  | { readonly standing: Exclude<Standing, 'closed'> }
  | {
      readonly standing: 'closed'
      readonly reason: TrapReason
      /** Of a closed kind or family: how many pages in a row brought nothing new. */
      readonly row?: number
    }

type KindDeeds = Pick<PageDeeds, 'isOffspring' | 'madeOwn' | 'relinks'>

/** The properties of a fetched page that matter for trap detection. */
export interface FetchedPage {
  readonly links: Uint32Array
  readonly linkCount: number
  /** Pages from this number on were found on it. */
  readonly knownBefore: number
  /** The page that it was found on, and the page that one was found on; -1: none. */
  readonly ancestors: readonly [parent: number, grandparent: number]
  /** Whether it has the same body, the same text or nearly the same text as another page. */
  readonly isCopy: boolean
  readonly isSameText: boolean
  readonly isAlike: boolean
  readonly isRedirect?: boolean
  /** The URL of the page that it duplicates; undefined if unknown or none. */
  readonly original?: string | undefined
  /** Fingerprints of the page's text and of its text without numbers; 0 if unknown, or if its numbers are content. */
  readonly text: number
  readonly shape: number
  /** Pairs of words in its text that were looked at, and those that are new to its site; undefined: there is no text. */
  readonly pairs?: number
  readonly freshPairs?: number
  /** The URL of the page that it was found on. */
  readonly foundOn?: string | undefined
}

/** A family may have two copies for each page with new content. */
const familyRules = {
  ...defaultAccountRules,
  first: 12,
  newShape: 1,
  copy: 1,
  sameShape: 0,
  poorAt: 2,
  mainShare: 0.5,
}
/**
 * A site or a kind is poor if more than two in three of its pages, after the first few, duplicate others,
 * regardless of what else it has earned. It is never closed for this alone, and not poor if it makes up most
 * of the crawl.
 */
const shareRules = { ...familyRules, first: 32, newShape: 2, poorAt: 1, closedAt: Infinity }
/** A copy may be content elsewhere; a page that failed permanently is none. */
const copiesPerFailure = 3
/** A page of which only this counts. */
const aCopy = deeds('none')
const somethingNew = deeds('new')

/** Maximum number of shapes remembered; after that, every page counts as a new shape. */
const shapesMax = 2_000_000

const good: TrapVerdict = { standing: 'good' }
const poor: TrapVerdict = { standing: 'poor' }

export class TrapWatch {
  readonly #limits: ShapeLimits
  readonly #accounts = new KindAccounts()
  /**
   * A family: everything below one first path segment of a site; pages of many kinds, most of them copies.
   */
  readonly #families = new KindAccounts(familyRules)
  /** The share of duplicate pages per site and per kind. */
  readonly #siteShares = new KindAccounts(shareRules)
  readonly #kindShares = new KindAccounts(shareRules)
  readonly #hosts: AlikeHosts
  readonly #domainOf: (host: string) => string
  /** Hosts of seeds. */
  readonly #seedHosts = new Set<string>()
  readonly #parameters = new ParameterLessons()
  readonly #views = new PageViews()
  readonly #texts = new TextWatch()
  readonly #keyed = new KeyedPages()
  /**
   * Numbers of kinds, low 16 bits: two kinds that share them are treated as one here, which does little harm.
   */
  readonly #kinds = new GrowingUint16()
  /** Pairs of kind and shape, as one number. */
  readonly #shapes = new Set<number>()
  /** One bit per page: whether it has been fetched. */
  readonly #fetchedBits = new GrowingUint8()

  constructor({ limits = defaultShapeLimits, domainOf = (host) => host }: TrapWatchOptions = {}) {
    this.#limits = limits
    this.#hosts = new AlikeHosts(domainOf)
    this.#domainOf = domainOf
  }

  /** Records a discovered page. */
  found(page: number, url: string, isSeed = false): void {
    this.#hosts.found(hostIn(url))
    if (isSeed) this.#seedHosts.add(hostIn(url))
    const kind = this.#accounts.numberOf(kindOf(this.#named(url)))
    this.#kinds.ensure(page)
    this.#kinds.array[page] = kind
  }

  /** Records a fetched page. */
  fetched(page: number, url: string, given: FetchedPage): void {
    const isElsewhere = this.#isElsewhere(url, given.original)
    const read = isElsewhere && this.#seedHosts.has(hostIn(url)) ? asNew(given) : given
    const named = this.#named(url)
    const kind = this.#accounts.numberOf(kindOf(named))
    const own = kind & 0xffff
    const kinds = this.#kinds.array
    const [parent] = read.ancestors
    const { isCopy } = read
    const isRepeated = isCopy || read.isSameText
    const saysNothingNew = isRepeated || read.isAlike
    // Hosts that are alike have one set of shapes, whatever their kinds.
    const shapesOf = named === url ? kind : this.#accounts.numberOf(familyOf(named))
    const isNewShape = !saysNothingNew && this.#isNewShape(shapesOf, read.shape)
    if (read.text !== 0) this.#parameters.fetched(kind, url, read.text)
    // On hosts known to be alike, a page without a new shape counts as a copy.
    const isOneOfMany = named !== url && !isNewShape
    const hasNothing = isOneOfMany || read.isRedirect === true || (isRepeated && !isElsewhere)
    const { isOffspring, madeOwn, relinks } = this.#deedsOf(own, read)
    this.#accounts.fetched(kind, {
      isOffspring,
      madeOwn,
      relinks,
      isCopy: (isCopy && !isElsewhere) || isOneOfMany,
      isNewShape,
      news: hasNothing ? 'none' : newsOf(isNewShape || isElsewhere),
    })
    if (isNewShape && parent >= 0 && kinds[parent] !== own) this.#accounts.ledToNewShape(kinds[parent])
    this.#countShares(named, isOneOfMany || (isRepeated && !isElsewhere), saysNothingNew)
    this.#hosts.fetched(hostIn(url), saysNothingNew, read.shape)
    this.#views.fetched(hostIn(named), named)
    this.#noteText(named, read)
    this.#fetchedBits.ensure(page >> 3)
    this.#fetchedBits.array[page >> 3] |= 1 << (page & 7)
  }

  #noteText(
    named: string,
    { pairs = 0, freshPairs = 0, links, linkCount, knownBefore, foundOn, isRedirect }: FetchedPage,
  ): void {
    if (isRedirect === true) return
    let newLinks = 0
    for (let i = 0; i < linkCount; i++) if (links[i] >= knownBefore) newLinks++
    this.#keyed.fetched(named)
    this.#texts.fetched(named, foundOn, { pairs, freshPairs, links: linkCount, newLinks })
  }

  /** Counts a page of its family, its site and its kind as a copy, or as new. */
  #countShares(named: string, isOwnCopy: boolean, saysNothingNew: boolean): void {
    const family = this.#families.numberOf(familyOf(named))
    this.#families.fetched(family, isOwnCopy ? aCopy : somethingNew)
    const news = saysNothingNew ? aCopy : somethingNew
    this.#siteShares.fetched(this.#siteShares.numberOf(hostIn(named)), news)
    this.#kindShares.fetched(this.#kindShares.numberOf(kindOf(named)), news)
  }

  /** Records a page that failed permanently: a kind of which most pages fail is poor, like one of which most are copies. */
  failed(url: string): void {
    const kind = this.#kindShares.numberOf(kindOf(this.#named(url)))
    for (let i = 0; i < copiesPerFailure; i++) this.#kindShares.fetched(kind, aCopy)
  }

  /**
   * True if it duplicates a page of another domain, or if a host with a seed duplicates another host. A
   * mirror that was fetched first must not close the site that it mirrors. A site with nothing new waits
   * (shares), but a site named by a seed does not.
   */
  #isElsewhere(url: string, original: string | undefined): boolean {
    if (original === undefined) return false
    const host = hostIn(url)
    const other = hostIn(original)
    return host !== other && (this.#seedHosts.has(host) || this.#domainOf(host) !== this.#domainOf(other))
  }

  /** Replaces the host by its domain if the host is one of many that are alike. */
  #named(url: string): string {
    const host = hostIn(url)
    const name = this.#hosts.nameOf(host)
    return name === host ? url : url.replace(host, name)
  }

  #isNewShape(kind: number, shape: number): boolean {
    if (shape === 0) return true
    const key = kind * 2 ** 32 + shape
    if (this.#shapes.has(key)) return false
    if (this.#shapes.size < shapesMax) this.#shapes.add(key)
    return true
  }

  /** What it has to do with other pages of its own kind. */
  #deedsOf(own: number, { links, linkCount, knownBefore, ancestors }: FetchedPage): KindDeeds {
    const kinds = this.#kinds.array
    let madeOwn = 0
    let relinks = 0
    for (let i = 0; i < linkCount; i++) {
      const target = links[i]
      if (kinds[target] !== own) continue
      if (target >= knownBefore) madeOwn++
      else if (!ancestors.includes(target) && this.#isFetched(target)) relinks++
    }
    const isOffspring = ancestors.every((page) => page >= 0 && kinds[page] === own)
    return { isOffspring, madeOwn, relinks }
  }

  #isFetched(page: number): boolean {
    return (this.#fetchedBits.array[page >> 3] & (1 << (page & 7))) !== 0
  }

  /** Whether this page may be requested. `isKnown`: whether a page with this URL is known. */
  verdict(url: string, isKnown: (url: string) => boolean): TrapVerdict {
    const shape = trapShape(url, this.#limits)
    if (shape !== undefined) return { standing: 'closed', reason: shape }
    const named = this.#named(url)
    const kindName = kindOf(named)
    const kind = this.#accounts.numberOf(kindName)
    const rest = this.#parameters.without(kind, url)
    const isTwin = rest !== url && (isKnown(rest) || this.#parameters.isCopy(kind, url))
    if (isTwin && this.#parameters.isSure(kind, url)) {
      return { standing: 'closed', reason: 'same-but-for-parameters' }
    }
    const mayBeMain = named === url
    const family = this.#families.numberOf(familyOf(named))
    const ofFamily = this.#families.standing(family, mayBeMain)
    if (ofFamily === 'closed') {
      return { standing: ofFamily, reason: 'copies', row: this.#families.rowOf(family) }
    }
    const ofKind = this.#accounts.standing(kind, mayBeMain)
    if (ofKind === 'closed') {
      return { standing: ofKind, reason: 'closed-kind', row: this.#accounts.rowOf(kind) }
    }
    const waits = isTwin || ofFamily === 'poor' || ofKind === 'poor'
    return waits || this.#waitsForOthers(url, named, kindName, isKnown) ? poor : good
  }

  /** Whether it waits for a reason beyond the credit of its kind and family. */
  #waitsForOthers(url: string, named: string, kind: string, isKnown: (url: string) => boolean): boolean {
    return (
      this.#hosts.waits(hostIn(url)) ||
      this.#keyed.isView(named, kind) ||
      this.#texts.waits(named, kind) ||
      (this.#isWaitingView(url, named, isKnown) && this.#texts.isFresh(named, kind) !== true) ||
      this.#mostlyRepeats(hostIn(named), kind)
    )
  }

  /** True for a view of a known page, on a site with many views. */
  #isWaitingView(url: string, named: string, isKnown: (url: string) => boolean): boolean {
    const path = pathOf(url)
    return path !== undefined && this.#views.wait(hostIn(named)) && isKnown(path)
  }

  #mostlyRepeats(host: string, kind: string): boolean {
    const sites = this.#siteShares
    const kinds = this.#kindShares
    return sites.standing(sites.numberOf(host)) === 'poor' || kinds.standing(kinds.numberOf(kind)) === 'poor'
  }

  /** The account of a kind of page, for display. */
  accountOf(kind: string): KindAccount | undefined {
    return this.#accounts.accountOf(kind)
  }

  transfer(state: StateCodec): void {
    state.section('trap watch', 3)
    for (const accounts of [this.#accounts, this.#families, this.#siteShares, this.#kindShares])
      accounts.transfer(state)
    this.#hosts.transfer(state)
    for (const host of state.texts([...this.#seedHosts])) this.#seedHosts.add(host)
    this.#parameters.transfer(state)
    this.#views.transfer(state)
    this.#texts.transfer(state)
    this.#keyed.transfer(state)
    state.appended(this.#kinds)
    transferSet(state, this.#shapes)
    state.growing(this.#fetchedBits)
  }

  get byteLength(): number {
    return this.#kinds.array.byteLength
  }
}

function deeds(news: News): PageDeeds {
  return {
    isOffspring: false,
    madeOwn: 0,
    relinks: 0,
    isCopy: news === 'none',
    isNewShape: news === 'new',
    news,
  }
}

function newsOf(isNewShape: boolean): News {
  return isNewShape ? 'new' : 'little'
}

function asNew(page: FetchedPage): FetchedPage {
  return { ...page, isCopy: false, isSameText: false, isAlike: false }
}
