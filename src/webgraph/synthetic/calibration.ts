/**
 * Finds the rates at which the web has the requested totals: generates the links of a sample of pages (all,
 * up to 32,768) a few times and corrects the rates by the result each time. Takes some tenths of a second for
 * any size of web. Overlapping menus, sites too small for their links and closed sections need no separate
 * treatment.
 */
import { Draws, part, subkey } from './draws.ts'
import { degreeMax } from './model.ts'
import type { PageLinks } from './page-links.ts'
import type { LinkRates } from './section.ts'
import type { SiteTable } from './site-table.ts'
import type { SyntheticWebSettings } from './synthetic-options.ts'

const samplePagesMax = 1 << 15
const roundsMax = 10
const tolerance = 0.005
const menuEntriesMax = 200
const outerLinksMax = 100

/** Sets the rates of `links`. */
export function calibrate(
  links: PageLinks,
  sites: SiteTable,
  settings: SyntheticWebSettings,
  webKey: number,
): void {
  const sample = samplePages(settings.pages, webKey)
  const tips = count(sample, (page) => links.isTip(page))
  const danglingChance = tips === 0 ? 0 : Math.min(1, (settings.danglingShare * sample.length) / tips)
  const outerAsked = sites.sites === 1 ? 0 : settings.linksPerPage * (1 - settings.inSiteShare)
  const innerAsked = settings.linksPerPage - outerAsked
  let rates: LinkRates = { danglingChance, menuEntries: 0, outerLinks: outerAsked }
  links.setRates(rates)
  // Links without menus. The others grow with the rate, nearly in proportion.
  const bare = sampleMeans(links, sites, sample).inner
  rates = { ...rates, menuEntries: 3 }
  for (let round = 0; round < roundsMax; round++) {
    links.setRates(rates)
    const { inner, outer } = sampleMeans(links, sites, sample)
    if (isNear(inner, innerAsked) && isNear(outer, outerAsked)) return
    rates = {
      danglingChance,
      menuEntries: corrected(rates.menuEntries, innerAsked - bare, inner - bare, menuEntriesMax),
      outerLinks: corrected(rates.outerLinks, outerAsked, outer, outerLinksMax),
    }
  }
  links.setRates(rates)
}

function isNear(came: number, asked: number): boolean {
  return Math.abs(came - asked) <= tolerance * asked
}

function corrected(rate: number, asked: number, came: number, most: number): number {
  if (asked <= 0) return 0
  return Math.min(most, came <= 0 ? 2 * rate : (rate * asked) / came)
}

function samplePages(pages: number, webKey: number): Float64Array {
  if (pages <= samplePagesMax) return new Float64Array(pages).map((_, page) => page)
  const draws = new Draws()
  draws.restart(subkey(webKey, part.sample))
  return new Float64Array(samplePagesMax).map(() => draws.below(pages))
}

function count(pages: Float64Array, holds: (page: number) => boolean): number {
  return pages.reduce((sum, page) => sum + (holds(page) ? 1 : 0), 0)
}

/** Mean number of links per page within the site and to other sites. */
function sampleMeans(
  links: PageLinks,
  sites: SiteTable,
  sample: Float64Array,
): { inner: number; outer: number } {
  const into = new Uint32Array(degreeMax)
  let inner = 0
  let outer = 0
  for (const page of sample) {
    const degree = links.write(page, into)
    const site = sites.siteOf(page)
    const start = sites.start(site)
    const end = sites.end(site)
    for (let i = 0; i < degree; i++) {
      if (into[i] >= start && into[i] < end) inner++
      else outer++
    }
  }
  return { inner: inner / sample.length, outer: outer / sample.length }
}
