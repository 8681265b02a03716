/**
 * IL(p), importance by location: estimates a page's importance from its URL alone (Cho, Garcia-Molina and
 * Page, section 2). Fewer slashes, a home page, a favoured top-level domain or a favoured word in the URL
 * raise it; a query string lowers it.
 */
export interface LocationRules {
  /** Added for each top-level domain, such as `{ edu: 1 }`. */
  readonly tlds?: Readonly<Record<string, number>>
  /** Added for each of these words in the URL, such as `{ home: 1 }`; case-insensitive. */
  readonly words?: Readonly<Record<string, number>>
  /** Subtracted for each directory level; default 1. */
  readonly perLevel?: number
  /** Subtracted for a query string; default 1. */
  readonly query?: number
}

const highest = 16

/**
 * 16 for a home page, minus depth and query string but at least 0, plus the additions for words and domain.
 */
export function locationScore(url: string, rules: LocationRules = {}): number {
  const { tlds = {}, words = {}, perLevel = 1, query = 1 } = rules
  const lower = url.toLowerCase()
  const hostFrom = lower.indexOf('://') + 3
  const pathFrom = pathStart(lower, hostFrom)
  const queryFrom = lower.indexOf('?', pathFrom)
  const pathTo = queryFrom < 0 ? lower.length : queryFrom
  let score = Math.max(0, highest - perLevel * depthOf(lower, pathFrom, pathTo) - (queryFrom < 0 ? 0 : query))
  const host = lower.slice(hostFrom, pathFrom).replace(/:\d*$/, '')
  score += tlds[host.slice(host.lastIndexOf('.') + 1)] ?? 0
  for (const [word, weight] of Object.entries(words)) if (lower.includes(word.toLowerCase())) score += weight
  return score
}

function pathStart(url: string, hostFrom: number): number {
  const at = url.slice(hostFrom).search(/[/?#]/)
  return at < 0 ? url.length : hostFrom + at
}

/** The number of non-empty path segments: 0 for a home page. */
function depthOf(url: string, from: number, to: number): number {
  let depth = 0
  for (let i = from; i < to; i++) {
    if (url.charCodeAt(i) !== 0x2f && (i === from || url.charCodeAt(i - 1) === 0x2f)) depth++
  }
  return depth
}
