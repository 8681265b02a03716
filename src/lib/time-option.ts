import { RankwardError } from './errors.ts'

/** The value of an option that is a time, in milliseconds of the epoch. A date without a time is its beginning in UTC. */
export function timeOption(name: string, value: unknown): number {
  const ms = value instanceof Date ? value.getTime() : typeof value === 'string' ? Date.parse(value) : NaN
  if (!Number.isNaN(ms)) return ms
  const shown = typeof value === 'string' ? `"${value}"` : String(value)
  throw new RankwardError(
    'USAGE',
    `${name}: ${shown} is not a time. Expected a date such as 2026-01-31 or 2026-01-31T12:00:00Z.`,
  )
}
