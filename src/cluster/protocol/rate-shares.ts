/**
 * The rate of a crawl that fetches pages again, on several shards. It is divided into equal *shares*, which are granted to shards and given
 * back as pages of a budget are (page-grants.ts): at any time, all shards together have at most all shares. A worker fetches at the rate
 * of its shards' shares, the most valuable page of all its shards first.
 *
 * Heads have histograms of what fetches of due pages are worth. The best n pages of all shards have a *price*: what the n-th is worth.
 * Each shard should have as large a part of the rate as it has of these pages. If a shard gets less than its pages become worth the price, more of
 * them are above it, and its part grows. So in the end the pages of all shards are fetched at one price, which is the optimum (S42, S62).
 */
import { MergedKeys } from './merged-keys.ts'
import type { Division } from './page-grants.ts'
import { memberOf, type ShardHead } from './shard-group.ts'

type Heads = readonly (ShardHead | undefined)[]

const sharesPerShard = 16
const sharesMin = 1024
/** The best n pages are at least those of this time, this part of all pages, and so many for each worker. */
const aheadSeconds = 20
const aheadPart = 1 / 64
const aheadPerWorker = 16
/** Shares move only if more than this part of them is with the wrong worker: the counts are random. */
const wrongPartMax = 1 / 16
/** At the end of a round of moves, the next one begins after this part of the time in which the best n pages are fetched. */
const movePart = 1 / 4
const moveSecondsMin = 10
/** If so much is with the wrong worker, the next round begins at once. */
const hurryPart = 1 / 4

const daySeconds = 86_400
/** Without a rate of the user's own: each page about once in a round, and new pages within a minute. */
const roundDays = 30
const newPagesPerDay = 24 * 60
export const firstPagesPerDay = daySeconds

export function rateShares(shards: number): number {
  return Math.max(sharesMin, sharesPerShard * shards)
}

/** Fetches per day of all shards. `given`: the user's rate. `hasRoom`: new pages may be fetched. */
export function perDayOf(heads: Heads, given: number | undefined, hasRoom: boolean): number {
  if (given !== undefined) return given
  const { known, waiting, looks } = totalsOf(heads)
  const perDay = Math.max(1, known) / roundDays + (hasRoom ? newPagesPerDay * waiting : 0)
  return looks === 0 ? Math.max(perDay, firstPagesPerDay) : perDay
}

interface Totals {
  readonly known: number
  readonly waiting: number
  readonly looks: number
}

export function totalsOf(heads: Heads): Totals {
  let known = 0
  let waiting = 0
  let looks = 0
  for (const head of heads) {
    known += head?.known ?? 0
    waiting += head?.waiting ?? 0
    looks += head?.looks ?? 0
  }
  return { known, waiting, looks }
}

/** How many of the best pages of all shards count. */
export function aheadOf(heads: Heads, perDay: number): number {
  const workers = new Set(heads.flatMap((head) => (head === undefined ? [] : [memberOf(head.writer)]))).size
  const { known } = totalsOf(heads)
  return Math.max(1, (aheadSeconds * perDay) / daySeconds, aheadPart * known, aheadPerWorker * workers)
}

/** How the rate is divided, according to the heads. */
export interface RateDivision extends Division {
  /** What the last of the best pages is worth; -Infinity if fewer pages are due. */
  readonly price: number
  /** Whether shards should give shares back that they do not need. */
  readonly mayMove: boolean
}

interface RateMoment {
  /** The sums of all grants in the control log. */
  readonly granted: ArrayLike<number>
  readonly perDay: number
  /** Since shares were granted last. */
  readonly secondsSince: number
}

export function rateDivisionOf(heads: Heads, { granted, perDay, secondsSince }: RateMoment): RateDivision {
  const shares = rateShares(heads.length)
  const ahead = aheadOf(heads, perDay)
  const all = new MergedKeys()
  for (const head of heads) all.add(head?.due ?? [])
  const parts = heads.map((head) => all.among(mergedOf(head), ahead))
  const sum = parts.reduce((total, part) => total + part, 0)
  const unspent = heads.map((head, shard) => granted[shard] - (head?.sharesReturned ?? 0))
  const needed = sum === 0 ? unspent : wholeParts(parts, shares / sum)
  const free = unspent.reduce((left, has) => left - has, shares)
  const wrong = wrongPart(heads, unspent, needed) / shares
  const moveSeconds = Math.max(moveSecondsMin, (movePart * ahead * daySeconds) / perDay)
  const mayMove = wrong > hurryPart || (wrong > wrongPartMax && secondsSince >= moveSeconds)
  return { free, left: shares, unspent, needed, price: all.priceAt(ahead), mayMove }
}

/** The parts times a factor, as whole numbers with the same sum. */
function wholeParts(parts: readonly number[], factor: number): number[] {
  let sum = 0
  return parts.map((part) => {
    const before = Math.round(sum * factor)
    sum += part
    return Math.round(sum * factor) - before
  })
}

function mergedOf(head: ShardHead | undefined): MergedKeys {
  const keys = new MergedKeys()
  keys.add(head?.due ?? [])
  return keys
}

/** The shares that workers have and do not need. Those of one worker are used for all its shards. */
function wrongPart(heads: Heads, unspent: readonly number[], needed: readonly number[]): number {
  const excess = new Map<string, number>()
  for (const [shard, head] of heads.entries()) {
    const worker = head === undefined ? '' : memberOf(head.writer)
    excess.set(worker, (excess.get(worker) ?? 0) + unspent[shard] - needed[shard])
  }
  return [...excess.values()].reduce((sum, shares) => sum + Math.max(0, shares), 0)
}
