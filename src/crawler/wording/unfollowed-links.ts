/**
 * Links that were not followed, in words, each reason with the option that decides it. A crawl of a page that says nofollow
 * would otherwise look like a site of one page.
 */
import { agreeing, plural } from '../../lib/amounts.ts'
import { partPercent, shareErrorMax } from '../../lib/amounts.ts'
import type { UnfollowedLinks } from '../options/omissions.ts'
import type { OutcomeRecord } from '../record/outcome-record.ts'
import type { LeftOutLinks } from '../world/fetch-result.ts'

const reasons: readonly (readonly [keyof UnfollowedLinks, string])[] = [
  ['nofollow', 'of pages that say nofollow (--follow-nofollow)'],
  ['rel', 'marked nofollow, ugc or sponsored (--follow-nofollow)'],
  ['ignoredRel', 'with an ignored word in rel (--ignore-rel)'],
  ['elsewhere', 'outside of the chosen elements (--links-from)'],
  ['tooDeep', 'too far from a seed (--max-depth)'],
  ['copies', 'to new pages on copies of other pages'],
]

/** "40 links of pages that say nofollow (--follow-nofollow)", …; none if all links were followed. */
export function unfollowedLinksTexts(links: Readonly<Partial<UnfollowedLinks>> = {}): string[] {
  return reasons.flatMap(([reason, text]) => {
    const count = links[reason] ?? 0
    return count === 0 ? [] : [`${plural(count, 'link')} ${text}`]
  })
}

/** `left`: the share of the importance that these links would have carried away, if they do not count. */
export function outOfScopeText(linksOutOfScope: number, left: number): string {
  const links = plural(linksOutOfScope, 'link')
  if (left < shareErrorMax) return links
  return `${links}, not counted (${partPercent(left)} if ${agreeing(linksOutOfScope, 'it', 'they')} were)`
}

/** The same of one page: "40 links, since the page says nofollow (--follow-nofollow)". */
export function unfollowedLinksOfPage(page: UnfollowedOfPage): string[] {
  const { nofollow, copies: _, ...others } = unfollowedOf(page)
  const own =
    nofollow === 0 ? [] : [`${plural(nofollow, 'link')}, since the page says nofollow (--follow-nofollow)`]
  return [...own, ...unfollowedLinksTexts(others)]
}

/** The counts of one page, as its outcome has them. */
interface UnfollowedOfPage extends LeftOutLinks, Pick<OutcomeRecord, 'tooDeep' | 'unfollowed'> {}

function unfollowedOf(page: UnfollowedOfPage): UnfollowedLinks {
  return {
    nofollow: page.linksNofollow ?? 0,
    rel: page.linksRel ?? 0,
    ignoredRel: page.linksIgnoredRel ?? 0,
    elsewhere: page.linksElsewhere ?? 0,
    tooDeep: page.tooDeep ?? 0,
    copies: page.unfollowed ?? 0,
  }
}
