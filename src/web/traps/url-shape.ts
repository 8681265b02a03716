/**
 * Detects traps from the URL alone: shapes that are not made by hand. A path that repeats itself results from
 * relative links on a page that exists under every path; a query that repeats itself, from a form that
 * appends to it.
 */

export interface ShapeLimits {
  /** Maximum number of path segments without and with a query (Castillo: 15 and 5). */
  readonly depthMax: number
  readonly dynamicDepthMax: number
  readonly lengthMax: number
}

export const defaultShapeLimits: ShapeLimits = { depthMax: 25, dynamicDepthMax: 15, lengthMax: 2000 }

export type TrapShape = 'too-long' | 'too-many-levels' | 'repeated-path' | 'repeated-parameter'

/** How often a segment or a sequence of segments may follow itself, and how often it may occur in total. */
const inARowMax = 2
const inAllMax = 4
/** How often a parameter may occur. */
const sameNameMax = 5

/** Returns the shape of a trap; undefined if the URL is unsuspicious. */
export function trapShape(url: string, limits: ShapeLimits = defaultShapeLimits): TrapShape | undefined {
  if (url.length > limits.lengthMax) return 'too-long'
  const start = url.indexOf('/', url.indexOf('://') + 3)
  const query = url.indexOf('?', start)
  const segments = url.slice(start + 1, query < 0 ? url.length : query).split('/')
  const levels = segments.length
  if (levels > (query < 0 ? limits.depthMax : limits.dynamicDepthMax)) return 'too-many-levels'
  if (levels > inAllMax && isRepeated(segments)) return 'repeated-path'
  return query >= 0 && hasRepeatedParameter(url.slice(query + 1)) ? 'repeated-parameter' : undefined
}

function isRepeated(segments: readonly string[]): boolean {
  const times = new Map<string, number>()
  for (const segment of segments) {
    const before = times.get(segment) ?? 0
    if (segment !== '' && before >= inAllMax) return true
    times.set(segment, before + 1)
  }
  for (let length = 1; 3 * length <= segments.length; length++) {
    if (hasRunInARow(segments, length)) return true
  }
  return false
}

/** True if a sequence of this many segments follows itself too often. */
function hasRunInARow(segments: readonly string[], length: number): boolean {
  let same = 0
  for (let i = length; i < segments.length; i++) {
    same = segments[i] === segments[i - length] ? same + 1 : 0
    if (same >= inARowMax * length) return true
  }
  return false
}

function hasRepeatedParameter(query: string): boolean {
  const times = new Map<string, number>()
  for (const pair of query.split('&')) {
    const name = pair.split('=', 1)[0]
    // Lists are written as a[]=1&a[]=2.
    if (name.endsWith('[]') || name.endsWith('%5B%5D')) continue
    const count = (times.get(name) ?? 0) + 1
    if (count > sameNameMax) return true
    times.set(name, count)
  }
  return false
}
