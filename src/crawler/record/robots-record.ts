/** A site's robots.txt, as stored. */
export interface RobotsRecord {
  /** When it was fetched, in seconds since the epoch. */
  readonly at: number
  /** Undefined without a response. */
  readonly status?: number | undefined
  /** One character per byte. */
  readonly text: string
}
