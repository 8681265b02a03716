/** A scorer written by a user: it returns a number for each page. */
export interface ScoredPage {
  readonly url: string
  readonly title: string
  /** The visible text, with white space collapsed. */
  readonly text: string
  /** As the page declares it: `en`, `pt-BR`. */
  readonly language: string | undefined
  readonly links: readonly { readonly url: string; readonly anchor: string }[]
}

/** The form in which a module exports a scorer, or a program passes one. */
export type ScoreFunction = (page: ScoredPage) => number | Promise<number>

/** A scorer with state. */
export interface ScorerObject {
  readonly name?: string
  score(page: ScoredPage): number | Promise<number>
}

/**
 * A scorer as the crawl calls it: in its own thread (a module) or in the calling thread (a function or
 * object).
 */
export interface PageScorer {
  /**
   * Undefined if it threw, took too long or returned no number. Such failures are counted, and the page has
   * no score. `onFailure`: in place of that of the options.
   */
  score(page: ScoredPage, onFailure?: ScorerOptions['onFailure']): Promise<number | undefined>
  close(): Promise<void>
}

export interface ScorerOptions {
  /** Time limit per page. */
  readonly secondsMax: number
  /** Called for each page without a score. */
  readonly onFailure?: ((url: string, why: string) => void) | undefined
}

/** A message if the value is not a number; otherwise undefined. */
export function notANumber(value: unknown): string | undefined {
  if (typeof value === 'number' && Number.isFinite(value)) return undefined
  return `it returned ${JSON.stringify(value) ?? 'undefined'}, which is not a number`
}
