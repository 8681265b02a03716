/** What a synthetic web is asked to be, and what it is where nothing is asked. */
import { RankwardError } from '../../lib/errors.ts'
import { farmDefaults, farmLinkKinds, hijackKinds, type FarmLinks, type HijackedFrom } from './farms.ts'
import { model } from './model.ts'
import { topicsMax } from './topic-words.ts'

/** Every option beside `pages` has a default fitted to real webs (docs/synthetic-web.md). */
export interface SyntheticWebOptions {
  /** Honest pages; those of farms come on top. */
  readonly pages: number
  /** One for every 200 pages unless given. */
  readonly sites?: number
  readonly seed?: number
  /** Links a page on average, pages without links included. Small sites may hold fewer. */
  readonly linksPerPage?: number
  /** Of all pages, the share without links. */
  readonly danglingShare?: number
  /** Of all links, the share within the site. */
  readonly inSiteShare?: number
  /** a, where the number of sites with at least x pages falls as x^-a. */
  readonly siteSizeExponent?: number
  /** Link farms (`farms.ts`); none unless given. */
  readonly farms?: number
  /** Boosting pages of each farm, beside its target. */
  readonly farmPages?: number
  readonly farmLinks?: FarmLinks
  /** Links from honest pages to each farm. */
  readonly hijackedLinks?: number
  readonly hijackedFrom?: HijackedFrom
  /** What pages are about (`topics.ts`); 0, the default: nothing, and they have no texts. */
  readonly topics?: number
}

export type SyntheticWebSettings = Required<SyntheticWebOptions>

const pagesMax = 0xffff_fffe

/** The options with their defaults; refuses what no web can be. */
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
    `A synthetic web cannot have ${name} = ${value}: give ${kinds.join(', ')}.`,
  )
}

function wholeNumber(name: string, value: number, least: number, most: number): number {
  if (Number.isSafeInteger(value) && value >= least && value <= most) return value
  throw new RankwardError(
    'USAGE',
    `A synthetic web cannot have ${name} = ${value}: give a whole number from ${least} to ${most}${name === 'sites' ? ', the number of pages' : ''}.`,
  )
}

function numberBetween(name: string, value: number, least: number, most: number): number {
  if (value >= least && value <= most) return value
  throw new RankwardError(
    'USAGE',
    `A synthetic web cannot have ${name} = ${value}: give a number from ${least} to ${most}.`,
  )
}
