/** The result of a crawl in one sentence: the same on the command line, in the report and in crawl.json. */
import type { CrawlCoverage } from '../options/crawl-options.ts'
import type { PageTotals } from '../../engine/page-totals.ts'
import { grouped } from '../../lib/amounts.ts'
import type { Omissions } from '../options/omissions.ts'
import { trapsText } from './crawl-end.ts'
import { unfollowedLinksTexts } from './unfollowed-links.ts'
import { percentText, shareErrorMax } from '../../lib/amounts.ts'

/** The input of the headline: pages by outcome, waiting pages, and what was left out. */
export type HeadlineCounts = CompletionCounts & Omissions

type CompletionCounts = Omit<PageTotals, 'redirects'> & { readonly waiting: number }

/** Whether every page found in scope was fetched, except those that robots.txt forbids or that failed for good. */
export function isComplete(counts: CompletionCounts): boolean {
  const { pages, temporary, unreachable, refusedByLimits, waiting } = counts
  return pages > 0 && temporary + unreachable + refusedByLimits + waiting === 0
}

export function headlineOf(counts: HeadlineCounts, { share, obtainable }: CrawlCoverage): string {
  if (counts.pages === 0) return 'No page was fetched.'
  const importance = `${obtainable > 1 - shareErrorMax ? '' : 'obtainable '}importance`
  const certain = `${percentText(share)} of the ${importance} is certain`
  if (!isComplete(counts)) {
    const held =
      counts.pages === 1 ? 'the page fetched holds' : `the ${grouped(counts.pages)} pages fetched hold`
    const traps =
      counts.refusedAsTraps === 0 ? '' : ` Not complete: ${trapsText(counts.refusedAsTraps)} (--no-traps).`
    return `${certain}: ${held} at least that much RankMass, regardless of the other pages.${traps}`
  }
  const notFollowed = unfollowedLinksTexts(counts.linksNotFollowed)
  // Links that were not followed may lead to further pages in scope.
  const where = notFollowed.length === 0 ? 'in scope' : 'found in scope'
  const all =
    counts.pages === 1
      ? `The only page ${where} fetched`
      : `All ${grouped(counts.pages)} pages ${where} fetched`
  const others = [
    ...(counts.refusedByRobots === 0 ? [] : [`robots.txt forbids ${grouped(counts.refusedByRobots)} more`]),
    ...(counts.failed === 0 ? [] : [`${grouped(counts.failed)} failed`]),
  ]
  const beside = others.length === 0 ? '' : `; ${others.join(', ')}`
  const links = notFollowed.length === 0 ? '' : ` Not followed: ${notFollowed.join(', ')}.`
  return `${all}${beside}.${links}${share > 1 - shareErrorMax ? '' : ` ${certain}.`}`
}
