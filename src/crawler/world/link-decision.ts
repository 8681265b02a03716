/** What a part decided about the links of a page. It is part of the crawl's facts: it changes the links that count. */
export interface LinkDecision {
  /** 1 for each link that is dropped, by position; undefined if none is. */
  readonly dropped?: Uint8Array | undefined
  /** Further links: canonical URLs, and how many links each counts as. */
  readonly added: readonly (readonly [url: string, weight: number])[]
}

/** A link is dropped if any of them drops it. */
export function mergedDecision(decisions: readonly LinkDecision[]): LinkDecision | undefined {
  if (decisions.length < 2) return decisions[0]
  const drops = decisions.flatMap(({ dropped }) => dropped ?? [])
  return {
    dropped: drops[0]?.map((_, i) => Math.max(...drops.map((dropped) => dropped[i]))),
    added: decisions.flatMap(({ added }) => added),
  }
}
