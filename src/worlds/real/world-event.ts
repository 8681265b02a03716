/** What the real world tells the engine the next time it delivers, and what it remembers of a connection until then. */
import type { FailureCause } from '../../engine/world.ts'
import type { Came } from './messages.ts'
import type { Miss } from './reachability.ts'

/** A connection under way. */
export interface Connection {
  readonly origin: string
  readonly address: string | undefined
  readonly pages: Set<number>
  /** How long the site wants to rest beyond its gap. */
  restSeconds: number
  /** What follows from the failure to open it, once for all its pages; undefined: it was opened. */
  miss: Miss | undefined
}

export type WorldEvent =
  | { readonly kind: 'came'; readonly came: Came; readonly thread: number }
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
