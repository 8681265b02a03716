/** A scorer of the user's: gives a page a number. Where it runs and what becomes of its errors, page-scorer-threads.ts says. */
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
