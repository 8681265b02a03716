/**
 * The rules of each origin's robots.txt, for a day (RFC 9309, 2.4). A bounded number is cached in parsed
 * form; the files are stored with the crawl, so that they are not requested again by a resume or for sites
 * whose turn comes late.
 */
import { robotsOfStatus } from '../../web/robots/robots-answer.ts'
import { parseRobots } from '../../web/robots/robots-file.ts'
import { allowAll, disallowAll, type RobotsRules } from '../../web/robots/robots-rules.ts'

/** As stored: when it was fetched (seconds since the epoch), the status, and the file. */
export interface RobotsRecord {
  readonly at: number
  /** Undefined without a response. */
  readonly status?: number | undefined
  /** One character per byte. */
  readonly text: string
}

/** The bytes of the file. */
export function robotsBytes({ text }: RobotsRecord): Uint8Array {
  return Buffer.from(text, 'latin1')
}

interface RobotsShelf {
  readRobots(origin: string): RobotsRecord | undefined
  writeRobots(origin: string, record: RobotsRecord): void
}

const secondsMax = 24 * 3600
/** An unreachable robots.txt is requested again after this time. */
const unreachableSeconds = 600
const heldMax = 20_000

interface Held {
  readonly rules: RobotsRules
  readonly until: number
}

export class RobotsCache {
  readonly #userAgent: string
  readonly #shelf: RobotsShelf
  readonly #freshSince: number
  readonly #held = new Map<string, Held>()

  /** Files that were fetched before `freshSince` may be of any age, because the clock was set. They are requested again. */
  constructor(userAgent: string, shelf: RobotsShelf, freshSince = 0) {
    this.#userAgent = userAgent
    this.#shelf = shelf
    this.#freshSince = freshSince
  }

  /** The rules of this origin; undefined if robots.txt must be requested. */
  rules(origin: string, now: number): RobotsRules | undefined {
    let held = this.#held.get(origin)
    if (held === undefined) {
      const record = this.#shelf.readRobots(origin)
      if (record === undefined || record.at < this.#freshSince) return undefined
      held = this.#hold(origin, record)
    }
    if (held.until > now) return held.rules
    this.#held.delete(origin)
    return undefined
  }

  /** Stores a fetched robots.txt, or the failure to fetch it. */
  put(origin: string, record: RobotsRecord): RobotsRules {
    this.#shelf.writeRobots(origin, record)
    return this.#hold(origin, record).rules
  }

  #hold(origin: string, record: RobotsRecord): Held {
    if (this.#held.size >= heldMax) {
      const [oldest] = this.#held.keys()
      this.#held.delete(oldest)
    }
    const answer = robotsOfStatus(record.status)
    const isReachable = answer !== 'disallow-all'
    const held = {
      rules:
        answer === 'parse'
          ? parseRobots(robotsBytes(record), this.#userAgent)
          : isReachable
            ? allowAll
            : disallowAll,
      until: record.at + (isReachable ? secondsMax : unreachableSeconds),
    }
    this.#held.set(origin, held)
    return held
  }
}
