import { mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seeded } from '../../../../test/arbitrary-graph.ts'
import { RankwardError } from '../../../lib/errors.ts'
import { seededRandom } from '../../../lib/random.ts'
import { graphOf } from '../../csr-graph.ts'
import { readBvLists } from './bv-reader.ts'
import { writeBvGraph } from './bv-writer.ts'
import { inFolder, naiveCode, readLists, tamper, writeBits } from './bv.cases.ts'

const gamma = (value: number): string => naiveCode('gamma', value, 3)
const unary = (value: number): string => naiveCode('unary', value, 3)
const zeta = (value: number): string => naiveCode('zeta', value, 3)

/** 300 pages that copy from one another, with runs and scattered links: every part of the format occurs. */
function webLike(): number[][] {
  const random = seededRandom(1)
  const lists: number[][] = []
  for (let page = 0; page < 300; page++) {
    const links = new Set((lists[page - 1 - random.below(4)] ?? []).filter(() => random.fraction() < 0.8))
    for (let i = random.below(6); i > 0; i--) links.add(random.below(300))
    const run = random.below(290)
    if (random.fraction() < 0.3) for (let i = 0; i < 8; i++) links.add(run + i)
    lists.push(page % 10 === 9 ? [] : [...links].sort((a, b) => a - b))
  }
  return lists
}

async function failure(basename: string): Promise<RankwardError> {
  const error: unknown = await readLists(basename).then(
    () => expect.unreachable('the graph was read'),
    (error: unknown) => error,
  )
  if (!(error instanceof RankwardError)) throw error
  expect(error.message).not.toContain('\n')
  return error
}

/** The error of a stored graph after something was done to its files. */
async function failureAfter(damage: (basename: string) => void): Promise<RankwardError> {
  return inFolder(async (folder) => {
    const basename = join(folder, 'web')
    await writeBvGraph(graphOf(webLike()), basename)
    damage(basename)
    return failure(basename)
  })
}

const ascendsBelow300 = (list: number[]): boolean =>
  list.every((successor, i) => successor > (list[i - 1] ?? -1) && successor < 300)
const arcsOf = (lists: number[][]): number => lists.reduce((sum, list) => sum + list.length, 0)

describe('a BV graph', () => {
  it('can be read without its offsets', async () => {
    await inFolder(async (folder) => {
      const basename = join(folder, 'web')
      await writeBvGraph(graphOf(webLike()), basename)
      rmSync(`${basename}.offsets`)
      expect(await readLists(basename)).toEqual(webLike())
    })
  })

  it('padded with zeros to whole words, as webgraph-rs does, is read', async () => {
    await inFolder(async (folder) => {
      const basename = join(folder, 'web')
      await writeBvGraph(graphOf(webLike()), basename)
      for (const extension of ['graph', 'offsets'])
        writeFileSync(`${basename}.${extension}`, Buffer.alloc(16), { flag: 'a' })
      expect(await readLists(basename)).toEqual(webLike())
    })
  })

  it('tells its properties, and how far reading is', async () => {
    await inFolder(async (folder) => {
      const basename = join(folder, 'web')
      await writeBvGraph(graphOf(webLike()), basename)
      const told: unknown[] = []
      const progress = (done: number, total?: number): void => void told.push([done, total])
      const properties = await readBvLists(basename, { take: () => {}, progress })
      expect(properties).toMatchObject({ nodes: 300, arcs: arcsOf(webLike()), windowSize: 7 })
      expect(told.at(-1)).toEqual([300, 300])
    })
  })

  it('stops reading when the signal aborts', async () => {
    await inFolder(async (folder) => {
      const basename = join(folder, 'web')
      await writeBvGraph(graphOf(webLike()), basename)
      const reading = readBvLists(basename, {
        take: () => {},
        signal: AbortSignal.abort(new Error('enough')),
      })
      await expect(reading).rejects.toThrow('enough')
    })
  })
})

describe('a BV graph whose properties lie', () => {
  it.each([
    ['arcs too small', { arcs: '100' }, 'arcs up to this node, but the properties say 100 in all'],
    [
      'one arc too many',
      { arcs: `${arcsOf(webLike()) + 1}` },
      `arcs in all, but the properties say ${arcsOf(webLike()) + 1}`,
    ],
    ['nodes too small', { nodes: '200', arcs: '10000' }, ' in a graph of 200 nodes'],
    ['nodes far too large', { nodes: '4000000000' }, 'the properties say 4000000000 nodes, but a file of'],
    ['one node too many', { nodes: '301' }, 'node 300'],
    ['a window too small', { windowsize: '1' }, 'reaches beyond the window of 1 lists'],
    ['no window', { windowsize: '0' }, 'bit '],
    ['another zeta', { zetak: '4' }, 'bit '],
    ['another interval length', { minintervallength: '2' }, 'bit '],
    ['no intervals', { minintervallength: '0' }, 'bit '],
    ['other residuals', { compressionflags: 'RESIDUALS_DELTA' }, 'bit '],
    ['other outdegrees', { compressionflags: 'OUTDEGREES_DELTA' }, 'bit '],
    ['other references', { compressionflags: 'REFERENCES_DELTA' }, 'bit '],
    ['other blocks', { compressionflags: 'BLOCKS_DELTA' }, 'bit '],
    ['other block counts', { compressionflags: 'BLOCK_COUNT_UNARY' }, 'bit '],
    ['other offsets', { compressionflags: 'OFFSETS_DELTA' }, 'web.offsets, node '],
  ])('is refused: %s', async (_, changes, message) => {
    const withOffsets = await failureAfter((basename) => tamper(basename, changes))
    expect(withOffsets.code).toBe('BAD_BV_GRAPH')
    expect(withOffsets.message).toMatch(/web\.(graph|offsets)(, node \d+, bit \d+)?: /)
    if (Object.values(changes).includes('OFFSETS_DELTA')) return
    const without = await failureAfter((basename) => {
      tamper(basename, changes)
      rmSync(`${basename}.offsets`)
    })
    expect(without.code).toBe('BAD_BV_GRAPH')
    expect(without.message).toContain(message)
  })

  it('is refused where the last nodes have no links and nodes leaves them out', async () => {
    await inFolder(async (folder) => {
      const basename = join(folder, 'web')
      writeBits(basename, gamma(0) + gamma(0) + gamma(0), { nodes: 2, arcs: 0 })
      const error = await failure(basename)
      expect(error.message).toContain('node 2, bit 2: the file continues after the last of the 2 nodes')
    })
  })
})

describe('a damaged BV graph', () => {
  it('that ends early is refused with the bit at which it ends', async () => {
    const error = await failureAfter((basename) => {
      rmSync(`${basename}.offsets`)
      truncateSync(`${basename}.graph`, 100)
    })
    expect(error.message).toMatch(/web\.graph, node \d+, bit 800: the file ends in the middle of a number/)
  })

  it('whose offsets are truncated, wrong or too long is refused', async () => {
    const early = await failureAfter((basename) => truncateSync(`${basename}.offsets`, 50))
    expect(early.message).toMatch(/web\.offsets, node \d+, bit 400: the file ends in the middle/)
    const lying = await failureAfter((basename) => {
      const bytes = readFileSync(`${basename}.offsets`)
      bytes[20] ^= 1
      writeFileSync(`${basename}.offsets`, bytes)
    })
    expect(lying.message).toMatch(/web\.offsets, node \d+, bit \d+: /)
    const long = await failureAfter((basename) =>
      writeFileSync(`${basename}.offsets`, Buffer.alloc(9, 1), { flag: 'a' }),
    )
    expect(long.message).toMatch(
      /web\.offsets, bit \d+: the file continues after the offset of the last node/,
    )
  })

  it('without .graph or .properties, or with a folder in their place, cannot be read', async () => {
    for (const extension of ['graph', 'properties']) {
      const missing = await failureAfter((basename) => rmSync(`${basename}.${extension}`))
      expect(missing.code).toBe('FILE_UNREADABLE')
      expect(missing.message).toContain(`web.${extension} cannot be read: there is no such file`)
      const folder = await failureAfter((basename) => {
        rmSync(`${basename}.${extension}`)
        mkdirSync(`${basename}.${extension}`)
      })
      expect(folder.code).toBe('FILE_UNREADABLE')
    }
  })

  it('with a property file of megabytes is refused unread', async () => {
    const error = await failureAfter((basename) =>
      writeFileSync(`${basename}.properties`, 'a\\\n'.repeat(500_000)),
    )
    expect(error.message).toContain('a property file has at most 65536')
  })

  const first = gamma(4) + unary(0) + gamma(0) // node 0 has four successors, no reference, no intervals
  it.each([
    ['an outdegree above the nodes', gamma(20), 'node 0, bit 9: outdegree 20 in a graph of 10 nodes'],
    ['a reference before node 0', gamma(1) + unary(1), 'node 0, bit 5: reference 1 reaches before node 0'],
    [
      'a reference beyond the window',
      gamma(1) + unary(8),
      'reference 8 reaches beyond the window of 7 lists',
    ],
    [
      'a residual beyond the nodes',
      gamma(1) + unary(0) + gamma(0) + zeta(20),
      'successor 10 in a graph of 10 nodes',
    ],
    ['a negative residual', gamma(1) + unary(0) + gamma(0) + zeta(1), 'successor -1 in a graph of 10 nodes'],
    [
      'a later residual beyond the nodes',
      first + zeta(0) + zeta(0) + zeta(0) + zeta(9),
      'successor 12 in a graph',
    ],
    [
      'an interval beyond the nodes',
      gamma(4) + unary(0) + gamma(1) + gamma(14) + gamma(0),
      'successor 10 in a graph',
    ],
    [
      'an interval before node 0',
      gamma(4) + unary(0) + gamma(1) + gamma(1) + gamma(0),
      'successor -1 in a graph',
    ],
    [
      'intervals longer than the list',
      gamma(4) + unary(0) + gamma(1) + gamma(0) + gamma(1),
      'more than the 4 successors',
    ],
    [
      'a residual within an interval',
      gamma(5) + unary(0) + gamma(1) + gamma(0) + gamma(0) + zeta(2),
      'successor 1 twice',
    ],
    [
      'too many blocks',
      first + zeta(0).repeat(4) + gamma(1) + unary(1) + gamma(9),
      '9 blocks to copy from a list of 4',
    ],
    [
      'blocks longer than their list',
      first + zeta(0).repeat(4) + gamma(1) + unary(1) + gamma(1) + gamma(5),
      'blocks reach beyond the 4 successors',
    ],
    [
      'more copies than successors',
      first + zeta(0).repeat(4) + gamma(1) + unary(1) + gamma(0),
      '4 successors copied into a list of 1',
    ],
    [
      'a residual that was copied',
      first + zeta(0).repeat(4) + gamma(5) + unary(1) + gamma(0) + gamma(0) + zeta(2),
      'node 1, bit 32: successor 2 twice',
    ],
  ])('with %s is refused', async (_, bits, message) => {
    await inFolder(async (folder) => {
      const basename = join(folder, 'web')
      writeBits(basename, bits.padEnd(80, '1'), { nodes: 10, arcs: 50 })
      const error = await failure(basename)
      expect(error.code).toBe('BAD_BV_GRAPH')
      expect(error.message).toContain(message)
    })
  })

  it('is refused or gives ascending lists within the graph, whatever bytes were changed', async () => {
    await inFolder(async (folder) => {
      const basename = join(folder, 'web')
      await writeBvGraph(graphOf(webLike()), basename)
      rmSync(`${basename}.offsets`)
      const whole = readFileSync(`${basename}.graph`)
      const changes = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 })), {
        minLength: 1,
        maxLength: 4,
      })
      const property = fc.asyncProperty(changes, async (changes) => {
        const bytes = Buffer.from(whole)
        for (const [at, change] of changes) bytes[at] ^= change
        writeFileSync(`${basename}.graph`, bytes)
        const lists = await readLists(basename).catch((error: unknown) => error)
        expect(Array.isArray(lists) ? lists.every(ascendsBelow300) : lists).toSatisfy(
          (answer) => answer === true || (answer instanceof RankwardError && answer.code === 'BAD_BV_GRAPH'),
        )
      })
      await fc.assert(property, seeded(300))
    })
  })
})
