/** The published cnr-2000 of LAW (see the README of the data folder) is the reference for both directions. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { sharedUint32 } from '../../../lib/shared-memory.ts'
import { CsrGraph } from '../../csr-graph.ts'
import { readBvLists } from './bv-reader.ts'
import { writeBvGraph, type BvWriteOptions } from './bv-writer.ts'
import { inFolder } from './bv.cases.ts'
import { parseJavaProperties } from './properties.ts'

const folder = fileURLToPath(new URL('../../../../../shared/data', import.meta.url))
const recent = join(folder, 'cnr-2000-bv', 'cnr-2000')
const old = join(folder, 'cnr-2000-bv-old', 'cnr-2000')
const edgeList = join(folder, 'cnr-2000.edges.tsv.gz')
const absent = !existsSync(`${recent}.graph`) || !existsSync(`${old}.graph`) || !existsSync(edgeList)
const nodes = 325_557
const arcs = 3_216_152

async function load(basename: string): Promise<CsrGraph> {
  const offsets = sharedUint32(nodes + 1)
  const targets = sharedUint32(arcs)
  let page = 0
  let filled = 0
  await readBvLists(basename, {
    take: (list, from, to) => {
      for (let i = from; i < to; i++) targets[filled++] = list[i]
      offsets[++page] = filled
    },
  })
  return new CsrGraph(offsets, targets)
}

/** Both degree sequences in ascending order, and the number of pages that link to themselves. */
function shape(graph: CsrGraph): [Buffer, Buffer, number] {
  const out = new Uint32Array(nodes)
  const into = new Uint32Array(nodes)
  let selfLinks = 0
  for (let page = 0; page < nodes; page++) {
    out[page] = graph.outDegree(page)
    for (let i = graph.offsets[page]; i < graph.offsets[page + 1]; i++) {
      into[graph.targets[i]]++
      if (graph.targets[i] === page) selfLinks++
    }
  }
  return [Buffer.from(out.sort().buffer), Buffer.from(into.sort().buffer), selfLinks]
}

const shortened = (value: string, decimals: number): string =>
  /^\d+\.\d+$/.test(value) ? Number(value).toFixed(decimals) : value

describe('cnr-2000 (skipped where shared/data is not beside the checkout)', () => {
  it.skipIf(absent)('as stored in 2006 is the edge list, arc for arc', async () => {
    const { offsets, targets } = await load(old)
    const text = gunzipSync(readFileSync(edgeList)).toString('latin1')
    let page = 0
    let arc = 0
    let wrong = 0
    for (let at = 0; at < text.length;) {
      const end = text.indexOf('\n', at)
      if (text[at] !== '#') {
        const tab = text.indexOf('\t', at)
        while (arc >= offsets[page + 1]) page++
        if (Number(text.slice(at, tab)) !== page || Number(text.slice(tab + 1, end)) !== targets[arc]) wrong++
        arc++
      }
      at = end + 1
    }
    expect({ arc, wrong }).toEqual({ arc: arcs, wrong: 0 })
  })

  it.skipIf(absent)(
    'as stored in 2010 has the same degrees and self-links, its pages numbered in another order',
    async () => {
      const [outOld, intoOld, selfOld] = shape(await load(old))
      const [outRecent, intoRecent, selfRecent] = shape(await load(recent))
      expect(Buffer.compare(outRecent, outOld)).toBe(0)
      expect(Buffer.compare(intoRecent, intoOld)).toBe(0)
      expect([selfOld, selfRecent]).toEqual([87_442, 87_442])
    },
  )

  it.skipIf(absent).each<[string, string, BvWriteOptions, string]>([
    ['2010', recent, {}, '2.897'],
    ['2006', old, { minIntervalLength: 3 }, '3.558'],
  ])(
    'of %s written again has the published bytes and figures',
    async (_, published, options, bitsPerLink) => {
      const graph = await load(published)
      await inFolder(async (folder) => {
        const copy = join(folder, 'cnr-2000')
        await writeBvGraph(graph, copy, options)
        for (const extension of ['graph', 'offsets']) {
          const ours = readFileSync(`${copy}.${extension}`)
          const theirs = readFileSync(`${published}.${extension}`)
          // The recent copy was padded with zeros to whole words of 16 bytes.
          expect(theirs.length - ours.length).toBeLessThan(16)
          expect(
            Buffer.compare(Buffer.concat([ours, Buffer.alloc(theirs.length - ours.length)]), theirs),
          ).toBe(0)
        }
        const ours = parseJavaProperties(readFileSync(`${copy}.properties`, 'latin1'))
        const theirs = parseJavaProperties(readFileSync(`${published}.properties`, 'latin1'))
        expect(ours.get('bitsperlink')).toBe(bitsPerLink)
        // We write no statistics of gaps; in 2006 averages had two decimals.
        const keys = [...theirs.keys()].filter((key) => !/gap$|expstats$/.test(key))
        const figures = (properties: Map<string, string>): string[] =>
          keys.map((key) => `${key}=${shortened(properties.get(key) ?? '', published === old ? 2 : 3)}`)
        expect(figures(ours)).toEqual(figures(theirs))
      })
    },
  )
})
