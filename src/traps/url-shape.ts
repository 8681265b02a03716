/**
 * What can be told from a URL alone: shapes that no person made by hand. A path that repeats itself comes from relative
 * links on a page that answers under every path; a query that says the same thing over and over from a form that adds to
 * it.
 */

export interface ShapeLimits {
  /** Segments of a path without, and with, a query (Castillo: 15 and 5). */
  readonly depthMax: number
  readonly dynamicDepthMax: number
  readonly lengthMax: number
}

export const defaultShapeLimits: ShapeLimits = { depthMax: 25, dynamicDepthMax: 15, lengthMax: 2000 }

export type TrapShape = 'too-long' | 'too-many-levels' | 'repeated-path' | 'repeated-parameter'

/** Times that a segment, or a run of them, may follow itself; and times it may come at all. */
const inARowMax = 2
const inAllMax = 4
/** Times that a parameter may be given. */
const sameNameMax = 5

/** The shape of a trap; undefined: nothing is wrong with it. */
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

/** Does a run of so many segments follow itself more often than it may? */
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
    // Lists are given as a[]=1&a[]=2.
    if (name.endsWith('[]') || name.endsWith('%5B%5D')) continue
    const count = (times.get(name) ?? 0) + 1
    if (count > sameNameMax) return true
    times.set(name, count)
  }
  return false
}
