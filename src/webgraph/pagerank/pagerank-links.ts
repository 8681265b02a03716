/**
 * The in-links of every page in the form that PageRank reads: *near* links, from pages at most 2^15 numbers
 * away in the same lane, as differences of 16 bits, and the others, *far* links, as 32-bit places. On webs in
 * URL order most links are near. A far link from another lane has the number of pages added to its source: the
 * place of that source in `givenBefore`, which lies behind `given`.
 *
 * Built by a counting sort in two passes over all links. Threads divide the lanes among themselves; each has its own counts
 * of far links, so that every list has its sources in the same order for any number of threads. 2 bytes per near link, 4 per far
 * link, 8 per page; while it is built, 4 per page and further thread.
 */
import { sharedUint32 } from '../../lib/shared-memory.ts'
import type { Graph, LinkCursor } from '../graph.ts'

export type Lanes = Uint32Array<SharedArrayBuffer>

export interface SplitLinks {
  /** The near links of page p are near[nearOffsets[p]] … near[nearOffsets[p + 1] - 1]; far links likewise. */
  readonly nearOffsets: Uint32Array<SharedArrayBuffer>
  readonly near: Int16Array<SharedArrayBuffer>
  readonly farOffsets: Uint32Array<SharedArrayBuffer>
  readonly far: Uint32Array<SharedArrayBuffer>
}

interface SplitOptions {
  readonly lanes: Lanes
  /** Whether the graph has in-links; otherwise it has the links of the web. */
  readonly isTransposed: boolean
  /** How many threads can divide the lanes among themselves. */
  readonly parts: number
  /** Returns memory for the far links; undefined if they are too many. */
  readonly farMemory: (links: number, nearOffsets: Uint32Array) => Uint32Array<SharedArrayBuffer> | undefined
}

/** One pass over all links, as plain data: each part is done by `readPart`, and the parts at the same time. */
export interface LinkPass {
  readonly lanes: Lanes
  readonly isTransposed: boolean
  /** By page: how many near links it has, then the place of the next one. Near links never leave the lane of their part. */
  readonly near: Uint32Array<SharedArrayBuffer>
  /** The same for the far links from each part: the later a part, the later its links in the list of a page. */
  readonly far: readonly Uint32Array<SharedArrayBuffer>[]
  /** Where links are placed; undefined: they are counted. */
  readonly room: Pick<SplitLinks, 'near' | 'far'> | undefined
}

const furthestAfter = 0x7fff
const furthestBefore = -0x8000

/** Whether a link between two pages of a lane is near. */
export function isNear(source: number, page: number): boolean {
  return source - page <= furthestAfter && source - page >= furthestBefore
}

/** Yields passes to be done before it continues. Undefined if there is no memory for the far links. */
export function* splitLinks(
  pages: number,
  { lanes, isTransposed, parts, farMemory }: SplitOptions,
): Generator<LinkPass, SplitLinks | undefined> {
  const nearOffsets = sharedUint32(pages + 1)
  const farOffsets = Array.from({ length: parts }, () => sharedUint32(pages + 1))
  const counting = { lanes, isTransposed, near: nearOffsets, far: farOffsets, room: undefined }
  yield counting
  const near = new Int16Array(new SharedArrayBuffer(2 * startsFromCounts([nearOffsets])))
  const far = farMemory(startsFromCounts(farOffsets), nearOffsets)
  if (far === undefined) return undefined
  yield { ...counting, room: { near, far } }
  // The links of the last part are at the end of each list.
  const ends = farOffsets[parts - 1]
  endsToStarts(nearOffsets)
  endsToStarts(ends)
  return { nearOffsets, near, farOffsets: ends, far }
}

/** Reads the links of one part of the lanes; reports the number of pages read after each lane. */
export function readPart(graph: Graph, pass: LinkPass, part: number, report: (pages: number) => void): void {
  const lanes = pass.lanes.length - 1
  const parts = pass.far.length
  const read = pass.room === undefined ? countLinks : placeLinks
  const cursor = graph.cursor()
  const end = Math.floor(((part + 1) * lanes) / parts)
  for (let lane = Math.floor((part * lanes) / parts); lane < end; lane++) {
    const [from, to] = [pass.lanes[lane], pass.lanes[lane + 1]]
    read(cursor, pass, part, from, to)
    report(to - from)
  }
}

function countLinks(cursor: LinkCursor, pass: LinkPass, part: number, from: number, to: number): void {
  const { near, isTransposed } = pass
  const far = pass.far[part]
  for (let page = from; page < to; page++) {
    cursor.seek(page)
    const { targets, end } = cursor
    for (let i = cursor.start; i < end; i++) {
      const other = targets[i]
      const source = isTransposed ? other : page
      const target = isTransposed ? page : other
      if (other >= from && other < to && isNear(source, target)) near[target]++
      else far[target]++
    }
  }
}

function placeLinks(cursor: LinkCursor, pass: LinkPass, part: number, from: number, to: number): void {
  const { near, isTransposed, room } = pass
  const far = pass.far[part]
  const pages = near.length - 1
  const nearLinks = room!.near
  const farLinks = room!.far
  for (let page = from; page < to; page++) {
    cursor.seek(page)
    const { targets, end } = cursor
    for (let i = cursor.start; i < end; i++) {
      const other = targets[i]
      const source = isTransposed ? other : page
      const target = isTransposed ? page : other
      const isInLane = other >= from && other < to
      if (isInLane && isNear(source, target)) nearLinks[near[target]++] = source - target
      else farLinks[far[target]++] = isInLane ? source : source + pages
    }
  }
}

/** Replaces each count by the sum of those before it, in the order of pages, then of parts; returns the sum of all. */
function startsFromCounts(parts: readonly Uint32Array[]): number {
  let sum = 0
  for (let i = 0; i < parts[0].length; i++) {
    for (let part = 0; part < parts.length; part++) {
      const count = parts[part][i]
      parts[part][i] = sum
      sum += count
    }
  }
  return sum
}

/** Each write position has become the end of its list, which is the start of the next. */
function endsToStarts(offsets: Uint32Array): void {
  offsets.copyWithin(1, 0, offsets.length - 1)
  offsets[0] = 0
}

const lanesMax = 64
/** Fewer lanes need fewer sweeps (cnr-2000: 81 with 2 lanes, 113 with 11), more give work to more threads. */
const linksPerLane = 1 << 20
/** In-links are counted for groups of pages, of which there are at most this many, on a sample of the web. */
const groupsMax = 1 << 16
const sampledLinks = 1 << 24

/**
 * Lanes of about equal work: lane i is the pages lanes[i] … lanes[i + 1] - 1. A page counts as much as two
 * in-links. Depends on nothing but the graph.
 */
export function laneBounds(graph: Graph): Lanes {
  const { pages, links } = graph
  const lanes = Math.min(Math.max(2 * Math.floor(links / (2 * linksPerLane)), 1), lanesMax)
  const groupPages = Math.ceil(pages / groupsMax)
  const every = Math.ceil(links / sampledLinks)
  const work = new Float64Array(lanes === 1 ? 0 : Math.ceil(pages / groupPages)).fill(2 * groupPages)
  const cursor = graph.cursor()
  for (let page = 0; page < (lanes === 1 ? 0 : pages); page += every) {
    cursor.seek(page)
    for (let i = cursor.start; i < cursor.end; i++) work[Math.floor(cursor.targets[i] / groupPages)] += every
  }
  const workPerLane = work.reduce((sum, part) => sum + part, 0) / lanes
  const bounds = [0]
  let done = 0
  work.forEach((part, group) => {
    done += part
    // The last lane ends with the web.
    if (bounds.length === lanes || done < workPerLane * bounds.length) return
    const bound = quietPlace(graph, (group + 1) * groupPages)
    if (bound >= bounds.at(-1)! + boundReach && bound < pages) bounds.push(bound)
  })
  const shared = sharedUint32(bounds.length + 1)
  shared.set([...bounds, pages])
  return shared
}

/** How far a bound is moved at most, and the fewest pages between two bounds: a lane of a few pages costs more than it saves. */
const boundReach = 512

/**
 * The place near this one that the fewest links between near pages cross, mostly between two sites: errors of a
 * cycle that spans two lanes shrink as slowly as in the power iteration.
 */
function quietPlace(graph: Graph, place: number): number {
  const from = Math.max(0, place - 2 * boundReach)
  const to = Math.min(graph.pages, place + 2 * boundReach)
  // How many more links cross the place before each page than the one before.
  const steps = new Int32Array(to - from + 1)
  const cursor = graph.cursor()
  for (let page = from; page < to; page++) {
    cursor.seek(page)
    for (let i = cursor.start; i < cursor.end; i++) {
      const target = cursor.targets[i]
      if (target < from || target >= to) continue
      steps[Math.min(page, target) - from + 1]++
      steps[Math.max(page, target) - from + 1]--
    }
  }
  let [best, fewest, crossing] = [place, Infinity, 0]
  for (let at = from; at < Math.min(place + boundReach, graph.pages); at++) {
    crossing += steps[at - from]
    if (at < place - boundReach || crossing > fewest) continue
    if (crossing === fewest && Math.abs(at - place) >= Math.abs(best - place)) continue
    best = at
    fewest = crossing
  }
  return best
}
