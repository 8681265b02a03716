import fc from 'fast-check'
import { it } from 'vitest'
import { strategyOf } from '../src/strategies/index.ts'
import { seededRandom } from '../src/lib/random.ts'
import { syntheticGraph } from '../src/graph/synthetic/synthetic-graph.ts'
import { cleanLists } from './arbitrary-graph.ts'
import { simulatedCrawl } from './simulated-crawl.ts'
const targets = [0.5, 0.8, 0.9, 0.95]
async function downloads(name: string, web: any, damping: number): Promise<number[]> {
  const { guaranteed, order } = await simulatedCrawl({ ...web }, () => strategyOf(name, { damping, webPages: 10, seed: 1 }))
  return targets.map((t) => { const n = guaranteed.findIndex((g) => g >= t - 1e-9); return n < 0 ? order.length + 1 : n })
}
it('stat', async () => {
  const r = seededRandom(11)
  const stat = targets.map(() => ({ n: 0, more: 0, same: 0, fewer: 0, worst: 0, sumExact: 0, sumRm: 0 }))
  for (let run = 0; run < 3000; run++) {
    const pages = 5 + r.below(26)
    const deg = 1 + r.below(5)
    const lists = Array.from({ length: pages }, (_, p) => [...new Set(Array.from({ length: r.below(deg + 1) }, () => r.below(pages)))].filter((t) => t !== p))
    const seeds = [...new Set(Array.from({ length: 1 + r.below(3) }, () => r.below(pages)))]
    const damping = 0.05 + 0.9 * r.fraction()
    const e = await downloads('exact-rankmass', { lists, seeds }, damping)
    const m = await downloads('rankmass', { lists, seeds }, damping)
    targets.forEach((_, i) => { const s = stat[i]; s.n++; s.sumExact += e[i]; s.sumRm += m[i]; const x = e[i] - m[i]; if (x > 0) s.more++; else if (x === 0) s.same++; else s.fewer++; s.worst = Math.max(s.worst, x) })
  }
  console.log(JSON.stringify(stat, null, 0))
  const web = cleanLists(9, 4)
  const out = await fc.check(fc.asyncProperty(web, fc.constantFrom(0.5, 0.75, 0.85, 0.9), async (lists, damping) => {
    const e = await downloads('exact-rankmass', { lists, seeds: [0] }, damping)
    const m = await downloads('rankmass', { lists, seeds: [0] }, damping)
    return targets.every((_, i) => e[i] <= m[i])
  }), { numRuns: 20000, seed: 5 })
  console.log(out.failed, out.numRuns, JSON.stringify(out.counterexample))
  if (out.counterexample) { const [lists, d] = out.counterexample as [number[][], number]
    for (const n of ['exact-rankmass', 'rankmass']) { const { order, guaranteed } = await simulatedCrawl({ lists, seeds: [0] }, () => strategyOf(n, { damping: d, webPages: 9, seed: 1 })); console.log(n, order.join(' '), guaranteed.map((x) => x.toFixed(6)).join(' ')) } }
  for (const seed of [1, 2, 3, 4, 5]) { const { graph } = syntheticGraph({ pages: 400, seed, sites: 8 })
    console.log('synthetic', seed, 'exact', (await downloads('exact-rankmass', { lists: graph, seeds: [0] }, 0.85)).join(' '), 'rankmass', (await downloads('rankmass', { lists: graph, seeds: [0] }, 0.85)).join(' ')) }
})
