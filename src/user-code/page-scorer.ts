/** A scorer that a user writes: it gives each page a number. */
export interface ScoredPage {
  readonly url: string
  readonly title: string
  /** The visible text, with runs of white space made single. */
  readonly text: string
  /** As the page declares it: `en`, `pt-BR`. */
  readonly language: string | undefined
  readonly links: readonly { readonly url: string; readonly anchor: string }[]
}

/** The form in which a module exports a scorer, and in which a program passes one. */
export type ScoreFunction = (page: ScoredPage) => number | Promise<number>

/** A scorer with state of its own. */
export interface ScorerObject {
  readonly name?: string
  score(page: ScoredPage): number | Promise<number>
}

/** A scorer as the crawl calls it, in a thread (a module) or in this one (a function or object). */
export interface PageScorer {
  /** Undefined: it threw, took too long or returned no number; that is counted, and the page has no score. */
  score(page: ScoredPage): Promise<number | undefined>
  close(): Promise<void>
}

export interface ScorerOptions {
  /** For one page. */
  readonly secondsMax: number
  /** Called for each page that got no number. */
  readonly onFailure?: ((url: string, why: string) => void) | undefined
}

/** Undefined where it is a number; else a message. */
export function notANumber(value: unknown): string | undefined {
  if (typeof value === 'number' && Number.isFinite(value)) return undefined
  return `it gave ${JSON.stringify(value) ?? 'nothing'}, which is no number`
}
