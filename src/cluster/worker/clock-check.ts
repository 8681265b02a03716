/**
 * Compares the clock of a worker with that of the NATS servers. Times are part of the journals: after a take-over from a worker
 * whose clock is behind, a Retry-After that it received would be shortened by the difference.
 */
import { RankwardError } from '../../lib/errors.ts'

/** The largest difference between the clocks of a worker and of the servers. */
export const clockSecondsMax = 60

/** The server stored a beat at `beatMs` by its own clock, between these two times of the worker's clock. */
export function checkClock(sentMs: number, beatMs: number, acknowledgedMs: number): void {
  const isAhead = sentMs - beatMs > 1000 * clockSecondsMax
  const isBehind = beatMs - acknowledgedMs > 1000 * clockSecondsMax
  if (!isAhead && !isBehind) return
  const aheadSeconds = (sentMs - beatMs) / 1000
  throw new RankwardError(
    'USAGE',
    `The clock of this machine is ${Math.round(Math.abs(aheadSeconds))} seconds ${aheadSeconds > 0 ? 'ahead of' : 'behind'} that of the NATS servers: set it, for example by NTP, and start the worker again.`,
  )
}
