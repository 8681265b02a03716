/** What the real world tells the engine the next time it delivers, and what it remembers of a connection until then. */
import type { FailureCause } from '../../engine/world.ts'
import type { Came } from './messages.ts'

/** A connection under way. */
export interface Connection {
  readonly origin: string
  readonly address: string | undefined
  readonly pages: Set<number>
  /** How long the site wants to rest beyond its gap. */
  restSeconds: number
  /** How often in a row it could not be reached, this connection included; 0: it was. */
  missedTimes: number
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
