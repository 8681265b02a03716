/** A scorer that the user wrote: it gives a page a number. See crawl/scorer-thread.ts for where it runs and how its errors are counted. */
export interface ScoredPage {
  readonly url: string
  readonly title: string
  readonly text: string
  /** As the page declares it: `en`, `pt-BR`. */
  readonly language: string | undefined
  readonly links: readonly { readonly url: string; readonly anchor: string }[]
}

export interface PageScorer {
  /** Undefined: it threw, took too long or gave no number; that is counted, and the page has no score. */
  score(page: ScoredPage): Promise<number | undefined>
}
