/**
 * What the model knows about a block: itself, its neighbours, the elements around it, its page. One row of numbers per block;
 * the order of `featureNames` is part of the weights.
 */
import { inArticle, inMain } from './element-flags.ts'
import {
  blockFeatures,
  elementFeatures,
  featureCount,
  flagColumns,
  neighbourFeatures,
} from './feature-names.ts'
import type { PageFacts } from './feature-names.ts'
import type { PageScan } from './page-scan.ts'
import { tagNumbers } from './tags.ts'
import { isProse } from './text-counts.ts'

/** Tags by what they say about their text. */
const tagGroups = new Uint8Array(256)
for (const [group, names] of [
  [1, 'p'],
  [2, 'li dd'],
  [3, 'td'],
  [4, 'th caption dt'],
  [5, 'h1 h2 h3 h4 h5 h6'],
  [6, 'button label legend summary'],
  [7, 'pre listing'],
  [8, 'figcaption'],
  [9, 'blockquote'],
  [10, 'section article main'],
] as const)
  for (const name of names.split(' ')) tagGroups[tagNumbers[name]] = group
const headingLevels = new Uint8Array(256)
for (let level = 1; level <= 6; level++) headingLevels[tagNumbers[`h${level}`]] = level

/** In the order of the features. */
const neighbours = [-1, 1, -2, 2] as const

/** A group of alike elements has at least this many. */
const groupSizeMin = 3
/** The core holds at least this share of the page's prose. */
const coreShareMin = 0.6

/** What each element inherits, kept from page to page to save memory. */
class Inherited {
  depth = new Int32Array(0)
  classNear = new Float32Array(0)
  classSum = new Float32Array(0)
  classMin = new Float32Array(0)
  classMax = new Float32Array(0)
  coreDistance = new Int32Array(0)
  mainDistance = new Int32Array(0)
  group = new Int32Array(0)

  ensure(length: number): void {
    if (this.depth.length >= length) return
    const capacity = length * 2
    this.depth = new Int32Array(capacity)
    this.classNear = new Float32Array(capacity)
    this.classSum = new Float32Array(capacity)
    this.classMin = new Float32Array(capacity)
    this.classMax = new Float32Array(capacity)
    this.coreDistance = new Int32Array(capacity)
    this.mainDistance = new Int32Array(capacity)
    this.group = new Int32Array(capacity)
  }
}

const inherited = new Inherited()

/** Groups of alike siblings: same parent, tag and class. */
interface Groups {
  readonly size: number[]
  readonly words: number[]
  readonly linkWords: number[]
  readonly prose: number[]
}

/** One row of `featureCount` numbers per block. The rows are valid until the next call. */
export function blockFeaturesOf(scan: PageScan, facts: PageFacts): Float32Array {
  const { elements, blocks } = scan
  const groups = inherit(scan)
  const rows = rowsFor(blocks.count)
  const { columns, wordScore } = blocks
  const pageWords = Math.max(1, elements.words[0])
  const pageProse = elements.proseWords[0]
  const copies = copiesOf(columns.hash, blocks.count)
  const page = Float32Array.from(pageNumbers(scan, facts))
  const elementsStart = blockFeatures.length + 4 * neighbourFeatures.length
  const pageStart = elementsStart + elementFeatures.length
  let wordsBefore = 0
  let proseBefore = 0
  let lastHeading = -100
  let headingWords = 0
  let h1At = -1
  let h1Words = 0
  for (let block = 0; block < blocks.count; block++) {
    const row = block * featureCount
    const words = columns.words[block]
    const linkWords = columns.linkWords[block]
    const element = columns.element[block]
    const level = headingLevels[elements.tag[element]]
    const some = Math.max(1, words)
    if (level === 1 && h1At === -1) {
      h1At = block
      h1Words = wordsBefore
    }
    let at = row
    rows[at++] = Math.log2(1 + words)
    rows[at++] = linkWords / some
    rows[at++] = columns.stops[block]
    rows[at++] = columns.commas[block]
    rows[at++] = (columns.stops[block] + columns.commas[block]) / some
    rows[at++] = columns.chars[block] / some
    rows[at++] = columns.upperWords[block] / some
    rows[at++] = columns.digitWords[block] / some
    rows[at++] = isStop(columns.lastChar[block]) ? 1 : 0
    rows[at++] = wordScore[block] / Math.sqrt(some)
    rows[at++] = tagGroups[elements.tag[element]]
    rows[at++] = level
    rows[at++] = block / blocks.count
    rows[at++] = wordsBefore / pageWords
    rows[at++] = proseBefore / Math.max(1, pageProse)
    rows[at++] = copies[block]
    rows[at++] = Math.min(20, block - lastHeading)
    rows[at++] = headingWords
    rows[at++] = h1At === -1 ? -1 : block - h1At > 0 ? 1 : 0
    rows[at++] = h1At === -1 ? -1 : Math.log2(1 + wordsBefore - h1Words)
    for (const offset of neighbours) {
      const other = block + offset
      if (other < 0 || other >= blocks.count) {
        for (let i = 0; i < neighbourFeatures.length; i++) rows[at++] = -1
        continue
      }
      const otherWords = columns.words[other]
      rows[at++] = Math.log2(1 + otherWords)
      rows[at++] = columns.linkWords[other] / Math.max(1, otherWords)
      rows[at++] = proseOf(columns, other) > 0 ? 1 : 0
      rows[at++] = wordScore[other] / Math.sqrt(Math.max(1, otherWords))
      rows[at++] = headingLevels[elements.tag[columns.element[other]]]
      rows[at++] = inherited.classSum[columns.element[other]]
    }
    elementNumbers(rows, elementsStart + row, scan, element, groups, pageWords, pageProse)
    rows.set(page, pageStart + row)
    wordsBefore += words
    proseBefore += proseOf(columns, block)
    if (level > 0) {
      lastHeading = block
      headingWords = Math.log2(1 + words)
    }
  }
  return rows
}

function elementNumbers(
  rows: Float32Array,
  start: number,
  { elements }: PageScan,
  element: number,
  groups: Groups,
  pageWords: number,
  pageProse: number,
): void {
  const parent = elements.parent[element]
  const grand = elements.parent[parent]
  const great = elements.parent[grand]
  let at = start
  rows[at++] = Math.log2(1 + inherited.depth[element])
  rows[at++] = elements.classScore[element]
  rows[at++] = inherited.classNear[element]
  rows[at++] = inherited.classSum[element]
  rows[at++] = inherited.classMin[element]
  rows[at++] = inherited.classMax[element]
  rows[at++] = elements.words[parent] / pageWords
  rows[at++] = elements.linkWords[parent] / Math.max(1, elements.words[parent])
  rows[at++] = elements.words[grand] / pageWords
  rows[at++] = elements.linkWords[grand] / Math.max(1, elements.words[grand])
  rows[at++] = elements.proseWords[parent] / Math.max(1, pageProse)
  rows[at++] = elements.proseWords[grand] / Math.max(1, pageProse)
  rows[at++] = elements.proseWords[great] / Math.max(1, pageProse)
  rows[at++] = inherited.coreDistance[element]
  rows[at++] = inherited.mainDistance[element]
  const group = inherited.group[element]
  const size = group === -1 ? 0 : groups.size[group]
  const words = group === -1 ? 0 : groups.words[group]
  rows[at++] = Math.log2(1 + size)
  rows[at++] = size === 0 ? 0 : Math.log2(1 + words / size)
  rows[at++] = words / pageWords
  rows[at++] = words === 0 ? 0 : groups.linkWords[group] / words
  rows[at++] = group === -1 ? 0 : groups.prose[group] / Math.max(1, pageProse)
  const flags = elements.flags[element]
  for (const flag of flagColumns) rows[at++] = (flags & flag) === 0 ? 0 : 1
}

/** Computes what elements inherit and the groups of alike siblings. */
function inherit({ elements }: PageScan): Groups {
  const { count, parent, kind, classScore, flags } = elements
  inherited.ensure(count)
  const { depth, classNear, classSum, classMin, classMax, coreDistance, mainDistance, group } = inherited
  const core = coreOf(elements)
  const onPath = new Set<number>()
  for (let element = core; ; element = parent[element]) {
    onPath.add(element)
    if (element === 0) break
  }
  depth[0] = classNear[0] = classSum[0] = classMin[0] = classMax[0] = coreDistance[0] = 0
  mainDistance[0] = -1
  group[0] = -1
  const sizes = new Map<number, number>()
  const keyOf = (element: number): number => parent[element] * 4_294_967_296 + (kind[element] >>> 0)
  for (let element = 1; element < count; element++) {
    const key = keyOf(element)
    sizes.set(key, (sizes.get(key) ?? 0) + 1)
  }
  const groups: Groups = { size: [], words: [], linkWords: [], prose: [] }
  const numbers = new Map<number, number>()
  for (let element = 1; element < count; element++) {
    const above = parent[element]
    const score = classScore[element]
    depth[element] = depth[above] + 1
    classSum[element] = Math.max(-8, Math.min(8, classSum[above] + score))
    classNear[element] = score + classNear[above] / 2
    classMin[element] = Math.min(classMin[above], score)
    classMax[element] = Math.max(classMax[above], score)
    coreDistance[element] =
      above === core || (coreDistance[above] === 0 && !onPath.has(above)) || onPath.has(element)
        ? 0
        : Math.min(10, coreDistance[above] + 1)
    const isMain = (flags[element] & (inMain | inArticle)) !== 0
    mainDistance[element] = isMain ? Math.min(12, Math.max(0, mainDistance[above] + 1)) : -1
    const key = keyOf(element)
    const size = sizes.get(key)!
    if (size < groupSizeMin) {
      group[element] = group[above]
      continue
    }
    let number = numbers.get(key)
    if (number === undefined) {
      number = groups.size.push(size) - 1
      numbers.set(key, number)
      groups.words.push(0)
      groups.linkWords.push(0)
      groups.prose.push(0)
    }
    groups.words[number] += elements.words[element]
    groups.linkWords[number] += elements.linkWords[element]
    groups.prose[number] += elements.proseWords[element]
    // The larger of two nested groups is the list of the page; cells and spans of its items repeat too.
    const outer = group[above]
    group[element] = outer !== -1 && elements.words[element] < 12 ? outer : number
  }
  return groups
}

/** The deepest element with most of the page's prose. Deeper elements have higher numbers, and one of two siblings has less. */
function coreOf({ count, proseWords }: PageScan['elements']): number {
  const least = coreShareMin * proseWords[0]
  if (least === 0) return 0
  let core = 0
  for (let element = 1; element < count; element++) if (proseWords[element] >= least) core = element
  return core
}

function pageNumbers({ elements, blocks }: PageScan, facts: PageFacts): number[] {
  const words = elements.words[0]
  let articles = 0
  let hasMain = 0
  for (let element = 1; element < elements.count; element++) {
    if (elements.tag[element] === tagNumbers.article) articles++
    if ((elements.flags[element] & inMain) !== 0) hasMain = 1
  }
  return [
    Math.log2(1 + words),
    Math.log2(1 + blocks.count),
    elements.linkWords[0] / Math.max(1, words),
    Math.log2(1 + elements.proseWords[0]),
    elements.proseWords[0] / Math.max(1, words),
    Math.log2(1 + articles),
    hasMain,
    elements.words[coreOf(elements)] / Math.max(1, words),
    ...facts.numbers,
  ]
}

function proseOf(columns: PageScan['blocks']['columns'], block: number): number {
  const words = columns.words[block]
  const linkWords = columns.linkWords[block]
  const text = { words, linkWords, stops: columns.stops[block], commas: columns.commas[block] }
  return isProse(text) ? words - linkWords : 0
}

function copiesOf(hashes: Int32Array, count: number): Float32Array {
  const counts = new Map<number, number>()
  for (let block = 0; block < count; block++) {
    counts.set(hashes[block], (counts.get(hashes[block]) ?? 0) + 1)
  }
  const copies = new Float32Array(count)
  for (let block = 0; block < count; block++) copies[block] = Math.log2(counts.get(hashes[block])!)
  return copies
}

const stops = new Set(Array.from('.!?…。！？:;"\'”’)', (char) => char.charCodeAt(0)))

function isStop(code: number): boolean {
  return stops.has(code)
}

let memory = new Float32Array(0)

function rowsFor(blocks: number): Float32Array {
  const length = blocks * featureCount
  if (memory.length < length) memory = new Float32Array(length * 2)
  return memory
}
