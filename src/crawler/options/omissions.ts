/** What a crawl left out: links that it did not follow, and pages that trap detection refused. */
export interface Omissions {
  /** Different links of each page that lead out of the scope, summed over the pages. */
  readonly linksOutOfScope: number
  readonly linksNotFollowed: Readonly<UnfollowedLinks>
  /** Pages that trap detection refused; part of `refusedByLimits`. */
  readonly refusedAsTraps: number
}

/**
 * Links in scope that a crawl did not follow, by reason: different links of each page, summed over the pages. A link that
 * the page also has in a form that is followed does not count.
 */
export interface UnfollowedLinks {
  /** Of pages that say nofollow. */
  nofollow: number
  /** Marked nofollow, ugc or sponsored. */
  rel: number
  /** With a word of `--ignore-rel` in rel. */
  ignoredRel: number
  /** Outside of the elements of `--links-from`. */
  elsewhere: number
  /** Of pages at `--max-depth`. */
  tooDeep: number
  /** To new pages, of copies that are not followed further. */
  copies: number
}

export const noUnfollowedLinks: Readonly<UnfollowedLinks> = {
  nofollow: 0,
  rel: 0,
  ignoredRel: 0,
  elsewhere: 0,
  tooDeep: 0,
  copies: 0,
}

/** The sums of several shards. */
export function omissionsOf(parts: readonly Partial<Omissions>[]): Omissions {
  const links = { ...noUnfollowedLinks }
  let linksOutOfScope = 0
  let refusedAsTraps = 0
  for (const part of parts) {
    linksOutOfScope += part.linksOutOfScope ?? 0
    refusedAsTraps += part.refusedAsTraps ?? 0
    for (const reason of Object.keys(links) as (keyof UnfollowedLinks)[])
      links[reason] += part.linksNotFollowed?.[reason] ?? 0
  }
  return { linksOutOfScope, linksNotFollowed: links, refusedAsTraps }
}
