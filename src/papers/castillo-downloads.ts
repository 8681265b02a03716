/** Figure 4.2: how long the download of a page takes. The thesis measured it; here sizes, latencies and speeds are drawn. */
import { percentOf, written } from '../lib/amounts.ts'
import type { Point } from '../view/pictures/plot.ts'
import type { Section } from '../view/report/report.ts'
import type { SimulatedWeb } from '../simulator/simulated-web.ts'
import { downloadSeconds } from '../simulator/time.ts'
import { castilloDownloads } from './published.ts'

export function downloadsSection(truth: SimulatedWeb): Section {
  const seconds = downloadSeconds(truth)
  const total = seconds.total.toSorted()
  const latency = seconds.latency.toSorted()
  const shareBelow = (limit: number): number => countBelow(total, limit) / total.length
  const words = castilloDownloads.map(
    ({ seconds: limit, share }) =>
      `${percentOf(shareBelow(limit))} take less than ${limit} s (thesis: ${percentOf(share)})`,
  )
  const waiting = seconds.total.filter((each, i) => seconds.latency[i] > each / 2).length / total.length
  return {
    title: 'Download times',
    blocks: [
      {
        kind: 'figure',
        id: 'figure-4-2',
        plot: {
          title: 'Figure 4.2: download time of a page',
          x: { label: 'seconds', numbering: 'plain', scale: 'log', min: 0.01, max: 100 },
          y: { label: 'share of the pages', numbering: 'percent', min: 0, max: 100 },
          series: [
            { name: 'total', points: distribution(total), look: 0 },
            { name: 'latency', points: distribution(latency), look: 1 },
            {
              name: 'thesis',
              kind: 'dots',
              look: 2,
              points: castilloDownloads.map(({ seconds: limit, share }): Point => [limit, 100 * share]),
            },
          ],
        },
        caption: `Of the pages of this web, one after the other, ${words.join(' and ')}; half of them take less than ${written(total[total.length >> 1], 'seconds')}. The latency is more than half of the time for ${percentOf(waiting)} of the pages (thesis: usually).`,
      },
    ],
  }
}

function distribution(ascending: Float64Array): Point[] {
  return Array.from({ length: 100 }, (_, i): Point => {
    const at = Math.min(ascending.length - 1, Math.ceil(((i + 1) * ascending.length) / 100) - 1)
    return [Math.max(0.01, ascending[at]), i + 1]
  })
}

function countBelow(ascending: Float64Array, limit: number): number {
  const at = ascending.findIndex((value) => value >= limit)
  return at < 0 ? ascending.length : at
}
