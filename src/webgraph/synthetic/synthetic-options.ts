/** The options of synthetic webs, with their defaults and checks. */
import { RankwardError } from '../../lib/errors.ts'
import { farmDefaults, farmLinkKinds, hijackKinds, type FarmLinks, type HijackedFrom } from './farms.ts'
import { model } from './model.ts'
import { topicsMax } from './topic-words.ts'

/** All options except `pages` have a default fitted to real webs (docs/theory/synthetic-web.md). */
export interface SyntheticWebOptions {
  /** Honest pages; farm pages are added to them. */
  readonly pages: number
  /** Default: one per 200 pages. */
  readonly sites?: number
  readonly seed?: number
  /** Mean links per page, including pages without links. Small sites may have fewer. */
  readonly linksPerPage?: number
  /** The share of pages without links. */
  readonly danglingShare?: number
  /** The share of links within the site. */
  readonly inSiteShare?: number
  /** a: the number of sites with at least x pages falls as x^-a. */
  readonly siteSizeExponent?: number
  /** Number of link farms (`farms.ts`); default 0. */
  readonly farms?: number
  /** Boosting pages of each farm, in addition to its target. */
  readonly farmPages?: number
  readonly farmLinks?: FarmLinks
  /** Links from honest pages to each farm. */
  readonly hijackedLinks?: number
  readonly hijackedFrom?: HijackedFrom
  /** Number of topics (`topics.ts`); with 0, the default, pages have no texts. */
  readonly topics?: number
}

export type SyntheticWebSettings = Required<SyntheticWebOptions>

const pagesMax = 0xffff_fffe

/** Applies the defaults; refuses impossible options. */
export function syntheticWebSettings(options: SyntheticWebOptions): SyntheticWebSettings {
  const pages = wholeNumber('pages', options.pages, 1, pagesMax)
  const farmPages = wholeNumber('farmPages', options.farmPages ?? farmDefaults.farmPages, 1, 1_000_000)
  const farmsMax = Math.floor((pagesMax - pages) / (farmPages + 1))
  return {
    pages,
    sites: wholeNumber('sites', options.sites ?? Math.ceil(pages / model.pagesPerSite), 1, pages),
    seed: wholeNumber('seed', options.seed ?? 1, 0, Number.MAX_SAFE_INTEGER),
    linksPerPage: numberBetween('linksPerPage', options.linksPerPage ?? 10, 3, 50),
    danglingShare: numberBetween('danglingShare', options.danglingShare ?? 0.23, 0, 0.4),
    inSiteShare: numberBetween('inSiteShare', options.inSiteShare ?? 0.95, 0, 1),
    siteSizeExponent: numberBetween('siteSizeExponent', options.siteSizeExponent ?? 1, 0.5, 10),
    farms: wholeNumber('farms', options.farms ?? 0, 0, farmsMax),
    farmPages,
    farmLinks: oneOf('farmLinks', farmLinkKinds, options.farmLinks ?? farmDefaults.farmLinks),
    hijackedLinks: wholeNumber('hijackedLinks', options.hijackedLinks ?? farmDefaults.hijackedLinks, 0, 100),
    hijackedFrom: oneOf('hijackedFrom', hijackKinds, options.hijackedFrom ?? farmDefaults.hijackedFrom),
    topics: wholeNumber('topics', options.topics ?? 0, 0, topicsMax),
  }
}

function oneOf<Kind extends string>(name: string, kinds: readonly Kind[], value: Kind): Kind {
  if (kinds.includes(value)) return value
  throw new RankwardError(
    'USAGE',
    `A synthetic web cannot have ${name} = ${value}: expected one of ${kinds.join(', ')}.`,
  )
}

function wholeNumber(name: string, value: number, least: number, most: number): number {
  if (Number.isSafeInteger(value) && value >= least && value <= most) return value
  throw new RankwardError(
    'USAGE',
    `A synthetic web cannot have ${name} = ${value}: expected a whole number from ${least} to ${most}${name === 'sites' ? ', the number of pages' : ''}.`,
  )
}

function numberBetween(name: string, value: number, least: number, most: number): number {
  if (value >= least && value <= most) return value
  throw new RankwardError(
    'USAGE',
    `A synthetic web cannot have ${name} = ${value}: expected a number from ${least} to ${most}.`,
  )
}
