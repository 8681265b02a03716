/** Events that the real world reports to the engine at its next delivery. */
import type { FailureCause } from '../../engine/world.ts'
import type { FetchResult } from './fetch-result.ts'

export type WorldEvent =
  | {
      readonly kind: 'result'
      readonly page: number
      readonly result: FetchResult
      /** When its response ended, by the clock of the crawl. */
      readonly endedAt: number
      readonly thread: number
    }
  | {
      readonly kind: 'refused'
      readonly page: number
      readonly cause: FailureCause
      readonly error: string
      readonly text: string | undefined
    }
  | { readonly kind: 'postponed'; readonly page: number; readonly last: boolean }
  | { readonly kind: 'proven' | 'slow'; readonly site: number }
  | { readonly kind: 'closed'; readonly site: number; readonly freeAt: number }
