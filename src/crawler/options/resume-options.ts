/** The options of a resumed crawl, and of a refresh. */
import type { InlineCode } from '../../engine/user-code/inline-code.ts'
import type { ResumableContent } from './content-options.ts'
import type { CrawlOptions } from './crawl-options.ts'
import type { HandlerOptions } from './handler-settings.ts'

/**
 * The options that a resume may change, and the code that the crawl was started with, which its folder does
 * not contain. Omitted options keep their values.
 */
export interface ResumeOptions
  extends
    Pick<
      CrawlOptions,
      | 'pages'
      | 'failures'
      | 'coverage'
      | 'seconds'
      | 'bytes'
      | 'requisiteFiles'
      | 'requisiteBytes'
      | 'retrySecondsMax'
      | 'waitUnreachableSeconds'
      | 'threads'
      | 'wait'
      | 'waitFactor'
      | 'waitPerAddress'
      | 'connections'
      | 'headers'
      | 'userAgent'
      | 'contact'
      | 'scope'
      | 'include'
      | 'exclude'
      | ResumableContent
      | 'maxDepth'
      | 'maxPagesPerSite'
      | 'continuous'
      | 'rate'
      | 'dashboard'
      | 'dashboardToken'
      | 'dashboardNames'
      | 'log'
      | 'logLevel'
      | 'signal'
      | 'onEvent'
      | 'onRecorded'
      | 'onError'
      | 'onSite'
    >,
    HandlerOptions,
    InlineCode {
  readonly out: string
}

/** A refresh of the pages that a crawl holds. */
export interface RecrawlOptions
  extends
    Omit<ResumeOptions, 'failures' | 'coverage' | 'bytes' | 'continuous' | 'rate'>,
    Pick<CrawlOptions, 'recrawl' | 'restSeconds' | 'change' | 'cost'> {
  /** End after this many fetches in this run, instead of when every page has been fetched once. */
  readonly pages?: number | undefined
  /** End after this many seconds in this run. */
  readonly seconds?: number | undefined
}
