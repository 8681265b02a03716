/**
 * The limited-buffer model: a crawler that can keep only B pages and evicts the one with the fewest links
 * seen.
 */
import { bufferCapacity, bufferShare, limitedBuffer } from '../webgraph/measures/limited-buffer.ts'
import { largestFirst } from '../webgraph/measures/importance-ranking.ts'
import { percentOf } from '../lib/amounts.ts'
import type { Point } from '../view/pictures/plot.ts'
import type { Section } from '../view/report/report.ts'
import { graphOfSimulated, type SimulatedWeb } from '../simulator/simulated-web.ts'
import { choNames } from './cho-orders.ts'
import { listed, ranking } from './curves.ts'
import type { Trial } from './trials.ts'

const sizes = [1, 2, 5, 10, 20, 35, 50, 75, 100]

export function bufferSection(truth: SimulatedWeb, runs: readonly Trial[]): Section {
  const graph = graphOfSimulated(truth)
  const ranked = largestFirst(truth.pageRank)
  const curves = runs.map(({ result, order }) => ({
    name: choNames[result.strategy],
    points: sizes.map((percent): Point => {
      const capacity = bufferCapacity(percent, truth.pages)
      const kept = limitedBuffer({ order, graph, capacity, estimate: 'backlinks' })
      return [percent, 100 * bufferShare(kept, capacity, truth.pageRank, ranked)]
    }),
  }))
  const at10 = ranking(
    curves.map(({ name, points }) => ({ name, value: points[sizes.indexOf(10)][1] / 100 })),
  )
  const spread = at10[0].value - at10[2].value
  return {
    title: 'A limited buffer',
    about:
      'The paper’s third model, which it defines but does not measure: every page is fetched, but only B can be kept. When the buffer overflows, the page with the fewest links seen so far is evicted permanently. P_BC is the share of the final buffer that is among the B most important pages (by PageRank).',
    blocks: [
      {
        kind: 'figure',
        id: 'buffer',
        plot: {
          title: 'Contents of the final buffer, by its size',
          x: { label: 'buffer, share of the web', numbering: 'percent', min: 0, max: 100 },
          y: { label: 'P_BC, the best pages kept', numbering: 'percent', min: 0, max: 100 },
          series: [
            ...curves,
            {
              name: 'at random',
              points: [
                [0, 0],
                [100, 100],
              ],
              reference: true,
            },
          ],
        },
        caption: `A buffer of 10% of the web ends up holding ${listed(at10.map(({ name, value }) => `${percentOf(value)} of the best pages by ${name}`))}. ${spread < 0.02 ? 'The order hardly matters: evictions depend on the links seen, and in the end all have been seen.' : 'The order matters: a page fetched before the links to it have been seen is evicted permanently.'}`,
      },
    ],
  }
}
