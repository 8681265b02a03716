/** A site's robots.txt, as it is stored. */
export interface RobotsRecord {
  /** When it was fetched, in seconds of the epoch. */
  readonly at: number
  /** Undefined: no response. */
  readonly status?: number | undefined
  /** One character a byte. */
  readonly text: string
}
