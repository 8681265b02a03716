/** The result of a crawl in one sentence: the same on the command line, in the report and in crawl.json. */
import type { CrawlCoverage } from '../options/crawl-options.ts'
import type { PageTotals } from '../engine/page-totals.ts'

/** The input of the headline: pages by outcome, and waiting pages. */
export type HeadlineCounts = Omit<PageTotals, 'redirects'> & { readonly waiting: number }

/** Whether every page in scope was fetched, except those that robots.txt forbids or that failed for good. */
export function isComplete(counts: HeadlineCounts): boolean {
  const { pages, temporary, unreachable, refusedByLimits, waiting } = counts
  return pages > 0 && temporary + unreachable + refusedByLimits + waiting === 0
}

/** A share this close to 1 counts as 1: the difference is mass that the walk leaves moving. */
const shareMin = 2e-7

export function headlineOf(counts: HeadlineCounts, { share, obtainable }: CrawlCoverage): string {
  if (counts.pages === 0) return 'No page was fetched.'
  const importance = `${obtainable > 1 - shareMin ? '' : 'obtainable '}importance`
  const certain = `${percent(share)} of the ${importance} is certain`
  if (!isComplete(counts)) {
    const held =
      counts.pages === 1 ? 'the page fetched holds' : `the ${grouped(counts.pages)} pages fetched hold`
    return `${certain}: ${held} at least that much RankMass, regardless of the other pages.`
  }
  const all =
    counts.pages === 1
      ? 'The only page in scope fetched'
      : `All ${grouped(counts.pages)} pages in scope fetched`
  const others = [
    ...(counts.refusedByRobots === 0 ? [] : [`robots.txt forbids ${grouped(counts.refusedByRobots)} more`]),
    ...(counts.failed === 0 ? [] : [`${grouped(counts.failed)} failed`]),
  ]
  const beside = others.length === 0 ? '' : `; ${others.join(', ')}`
  return `${all}${beside}.${share > 1 - shareMin ? '' : ` ${certain}.`}`
}

const grouped = (count: number): string => count.toLocaleString('en-US')

/** Rounded down, so that the certain share is never overstated. */
function percent(share: number): string {
  if (share > 1 - shareMin) return '100%'
  if (share > 0 && share < 0.001) return '<0.1%'
  return `${(Math.floor(share * 1000 + 1e-6) / 10).toFixed(1).replace(/\.0$/, '')}%`
}
