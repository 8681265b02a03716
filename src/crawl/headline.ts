/** What a crawl is worth, in a sentence: the command line, the report and crawl.json say the same one. */
import type { PageStates } from '../engine/page-states.ts'
import type { CrawlCoverage } from './options.ts'

/** Known pages by what became of them. */
export interface PageFates {
  readonly fetched: number
  readonly robots: number
  readonly failed: number
  /** Failed for a reason that may pass. */
  readonly temporary: number
  /** They wait, or a limit excludes them. */
  readonly open: number
}

export function pageFates(pages: PageStates): PageFates {
  const fates = { fetched: 0, robots: 0, failed: 0, temporary: 0, open: 0 }
  for (let page = 0; page < pages.known; page++) {
    const cause = pages.failureOf(page)
    if (pages.isCrawled(page)) fates.fetched++
    else if (cause === 'robots' || cause === 'failed') fates[cause]++
    else if (cause === 'unreachable' || cause === 'temporary') fates.temporary++
    // The page that stands for the outside is none.
    else if (cause !== 'scope') fates.open++
  }
  return fates
}

/** Was every page in scope fetched that could be? */
export function isComplete({ fetched, temporary, open }: PageFates): boolean {
  return fetched > 0 && temporary + open === 0
}

/** A share that differs from all by less is all: mass that a walk leaves on its way. */
const shareMin = 2e-7

export function headlineOf(fates: PageFates, { share, obtainable }: CrawlCoverage): string {
  if (fates.fetched === 0) return 'No page was fetched.'
  const importance = `${obtainable > 1 - shareMin ? '' : 'obtainable '}importance`
  const certain = `${percent(share)} of the ${importance} is certain`
  if (!isComplete(fates)) {
    const held =
      fates.fetched === 1 ? 'the page fetched holds' : `the ${grouped(fates.fetched)} pages fetched hold`
    return `${certain}: ${held} at least that much RankMass, whatever the rest looks like.`
  }
  const all =
    fates.fetched === 1
      ? 'The only page in scope fetched'
      : `All ${grouped(fates.fetched)} pages in scope fetched`
  const others = [
    ...(fates.robots === 0 ? [] : [`robots.txt forbids ${grouped(fates.robots)} more`]),
    ...(fates.failed === 0 ? [] : [`${grouped(fates.failed)} failed`]),
  ]
  const beside = others.length === 0 ? '' : `; ${others.join(', ')}`
  return `${all}${beside}.${share > 1 - shareMin ? '' : ` ${certain}.`}`
}

const grouped = (count: number): string => count.toLocaleString('en-US')

/** Rounded down: what is certain is never overstated. */
function percent(share: number): string {
  if (share > 1 - shareMin) return '100%'
  if (share > 0 && share < 0.001) return '<0.1%'
  return `${(Math.floor(share * 1000 + 1e-6) / 10).toFixed(1).replace(/\.0$/, '')}%`
}
