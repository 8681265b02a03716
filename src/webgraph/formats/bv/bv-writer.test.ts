import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seeded } from '../../../../test/arbitrary-graph.ts'
import { seededRandom } from '../../../lib/random.ts'
import { CompressedGraphBuilder } from '../../compressed-graph.ts'
import { graphOf } from '../../csr-graph.ts'
import type { Graph } from '../../graph.ts'
import { writeBvGraph, type BvWriteOptions } from './bv-writer.ts'
import { inFolder, packed, readLists } from './bv.cases.ts'
import { codingParts, type Codings } from './codings.ts'

async function roundTrip(lists: number[][], options: BvWriteOptions = {}): Promise<number[][]> {
  return inFolder(async (folder) => {
    await writeBvGraph(graphOf(lists), join(folder, 'web'), options)
    return readLists(join(folder, 'web'))
  })
}

/** Every choice of codes that Java can load. */
function allCodings(): Partial<Codings>[] {
  let choices: Partial<Codings>[] = [{}]
  for (const { part, java } of codingParts) {
    choices = choices.flatMap((choice) => java.map((coding) => Object.assign({}, choice, { [part]: coding })))
  }
  return choices
}

/** Graphs whose lists share links with those before them, so that references, blocks and intervals occur. */
const graphs = fc.integer({ min: 0, max: 60 }).chain((pages) =>
  fc.integer().map((seed) => {
    const random = seededRandom(seed)
    const lists: number[][] = []
    for (let page = 0; page < pages; page++) {
      const links = new Set((lists[page - 1 - random.below(3)] ?? []).filter(() => random.fraction() < 0.9))
      for (let i = random.below(5); i > 0; i--) links.add(random.below(pages))
      if (random.fraction() < 0.3)
        for (let i = random.below(pages); i < pages && random.fraction() < 0.9; i++) links.add(i)
      lists.push(random.fraction() < 0.2 ? [] : [...links].sort((a, b) => a - b))
    }
    return lists
  }),
)

const complete = (pages: number): number[][] => Array.from({ length: pages }, () => [...Array(pages).keys()])

describe('a graph written as BV', () => {
  it.each([
    ['no page', []],
    ['one page', [[]]],
    ['one page that links to itself', [[0]]],
    ['no links', [[], [], [], [], []]],
    ['all links', complete(40)],
    ['links to itself only', Array.from({ length: 20 }, (_, page) => [page])],
    ['one long chain', Array.from({ length: 20 }, (_, page) => (page === 19 ? [] : [page + 1]))],
  ])('with %s is read back as it was', async (_, lists) => {
    expect(await roundTrip(lists)).toEqual(lists)
    expect(await roundTrip(lists, { windowSize: 0, minIntervalLength: 0 })).toEqual(lists)
  })

  it('is read back as it was, whatever its links and the parameters', async () => {
    const options = fc.record({
      windowSize: fc.integer({ min: 0, max: 20 }),
      maxRefCount: fc.constantFrom(0, 1, 3, 1000, Infinity),
      minIntervalLength: fc.constantFrom(0, 2, 3, 4, 10),
      zetaK: fc.integer({ min: 1, max: 9 }),
      codings: fc.constantFrom(...allCodings()),
    })
    const property = fc.asyncProperty(graphs, options, async (lists, options) => {
      expect(await roundTrip(lists, options)).toEqual(lists)
    })
    await fc.assert(property, seeded(200))
  })

  it('is read back as it was in every combination of codes that Java can load', async () => {
    const [lists] = fc.sample(graphs, { seed: 7, numRuns: 1 })
    for (const codings of allCodings()) {
      const read = await roundTrip(lists, { codings })
      expect({ codings, read }).toEqual({ codings, read: lists })
    }
  })

  it('has its links in ascending order and each once, whatever order the graph has', async () => {
    expect(
      await roundTrip([
        [2, 0, 2, 1, 0],
        [1, 1],
        [2, 1, 0],
      ]),
    ).toEqual([[0, 1, 2], [1], [0, 1, 2]])
  })

  it('from the compressed form is the same', async () => {
    const builder = new CompressedGraphBuilder()
    for (const list of complete(9)) builder.append(Uint32Array.from(list), 0, 9)
    await inFolder(async (folder) => {
      await writeBvGraph(builder.finish(), join(folder, 'web'))
      expect(await readLists(join(folder, 'web'))).toEqual(complete(9))
    })
  })

  it('has the bits that the format requires', async () => {
    await inFolder(async (folder) => {
      const basename = join(folder, 'web')
      const written = await writeBvGraph(
        graphOf([
          [0, 1],
          [0, 1],
        ]),
        basename,
      )
      // Degree 2, reference 0, no intervals, residuals 0 and 1; degree 2, reference 1, no blocks: copy all.
      const bits = `011 1 1 100 100  011 01 1`.replaceAll(' ', '')
      expect(written).toEqual({ nodes: 2, arcs: 4, graphBits: bits.length })
      expect(new Uint8Array(readFileSync(`${basename}.graph`))).toEqual(packed(bits))
      // Offsets 0, 11 and 17 as gamma-coded differences.
      expect(new Uint8Array(readFileSync(`${basename}.offsets`))).toEqual(
        packed('1 0001100 00111'.replaceAll(' ', '')),
      )
      expect(readFileSync(`${basename}.properties`, 'latin1')).toContain('bitsperlink=4.25\n')
    })
  })

  it('chains no more references than allowed', async () => {
    const lists = complete(30)
    await inFolder(async (folder) => {
      const averageChain = async (maxRefCount: number): Promise<number> => {
        await writeBvGraph(graphOf(lists), join(folder, 'web'), {
          maxRefCount,
          windowSize: 1,
          minIntervalLength: 0,
        })
        return Number(/avgref=(.*)/.exec(readFileSync(join(folder, 'web.properties'), 'latin1'))?.[1])
      }
      expect(await averageChain(0)).toBe(0)
      expect(await averageChain(2)).toBe(1)
      expect(await averageChain(Infinity)).toBe(14.5)
    })
  })
})

describe('writing a BV graph', () => {
  const broken: Graph = {
    pages: 2,
    links: 2,
    byteLength: 0,
    outDegree: () => 1,
    share: () => expect.unreachable(),
    cursor: () => ({
      targets: new Uint32Array(1),
      start: 0,
      end: 1,
      seek: (page) => {
        if (page === 1) throw new Error('broken')
      },
    }),
  }

  it('leaves no file behind when it fails', async () => {
    await inFolder(async (folder) => {
      await expect(writeBvGraph(broken, join(folder, 'web'))).rejects.toThrow('broken')
      expect(readdirSync(folder)).toEqual([])
    })
  })

  it('leaves no file behind when it is stopped', async () => {
    await inFolder(async (folder) => {
      const signal = AbortSignal.abort(new Error('enough'))
      await expect(writeBvGraph(graphOf([[0]]), join(folder, 'web'), { signal })).rejects.toThrow('enough')
      expect(readdirSync(folder)).toEqual([])
    })
  })

  it('leaves no file behind when one of the names is taken by a folder', async () => {
    await inFolder(async (folder) => {
      mkdirSync(join(folder, 'web.properties'))
      await expect(writeBvGraph(graphOf([[0]]), join(folder, 'web'))).rejects.toMatchObject({
        code: 'FILE_UNWRITABLE',
      })
      expect(readdirSync(folder)).toEqual(['web.properties'])
    })
  })

  it('keeps the graph that was there until the new one is complete', async () => {
    await inFolder(async (folder) => {
      await writeBvGraph(graphOf([[0]]), join(folder, 'web'))
      await expect(writeBvGraph(broken, join(folder, 'web'))).rejects.toThrow('broken')
      expect(await readLists(join(folder, 'web'))).toEqual([[0]])
      expect(readdirSync(folder).sort()).toEqual(['web.graph', 'web.offsets', 'web.properties'])
    })
  })

  it('to a folder that does not exist is an error with the path', async () => {
    const writing = writeBvGraph(graphOf([[0]]), '/nowhere/at/all/web')
    await expect(writing).rejects.toMatchObject({ code: 'FILE_UNWRITABLE' })
    expect(existsSync('/nowhere')).toBe(false)
  })

  it.each([
    [{ windowSize: -1 }, 'windowSize is -1, but must be a whole number from 0 to 65535'],
    [{ windowSize: 1.5 }, 'windowSize is 1.5'],
    [{ maxRefCount: -1 }, 'maxRefCount is -1'],
    [{ minIntervalLength: 1 }, 'minIntervalLength is 1, but must be a whole number from 2'],
    [{ zetaK: 0 }, 'zetaK is 0, but must be a whole number from 1 to 31'],
    [
      { codings: { outdegrees: 'zeta' } as const },
      'The coding of outdegrees is zeta, but must be one of gamma, delta',
    ],
  ])('refuses %j', async (options, message) => {
    await expect(writeBvGraph(graphOf([]), '/nowhere/web', options)).rejects.toThrow(message)
  })
})
