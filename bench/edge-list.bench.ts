/**
 * Loading time of an edge list, gzipped and plain, compared with a `readline` loop that splits every line and
 * fills arrays. Both give the same links, and the rounds alternate.
 */
import { createReadStream, createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { graphOf } from '../src/webgraph/csr-graph.ts'
import { readGraph, writeGraph } from '../src/webgraph/formats/index.ts'
import { benchmarkMain, type Benchmark, type BenchmarkResult } from './benchmark.ts'
import { generatedWeb, linkCheck, realPath, short, timed } from './webs.ts'

export const edgeListBenchmark: Benchmark = async (size) => {
  const folder = mkdtempSync(join(tmpdir(), 'rankward-edge-list-'))
  try {
    const zipped =
      (size === 'full' ? realPath('cnr-2000.edges.tsv.gz') : undefined) ?? (await generatedList(folder, size))
    const plain = join(folder, 'plain.tsv')
    await pipeline(createReadStream(zipped), createGunzip(), createWriteStream(plain))
    const rounds = size === 'small' ? 1 : 5
    const measured = [await measure('gzip', zipped, rounds), await measure('plain', plain, rounds)]
    if (measured[0].check !== measured[1].check) throw new Error('gzip and plain give different links')
    return { rows: measured.map(({ row }) => row), check: measured[0].check }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function generatedList(folder: string, size: 'small' | 'full'): Promise<string> {
  const path = join(folder, 'generated.tsv.gz')
  await writeGraph(generatedWeb(size === 'small' ? 2_000 : 300_000).web, path)
  return path
}

async function measure(
  form: string,
  path: string,
  rounds: number,
): Promise<{ row: BenchmarkResult['rows'][number]; check: number }> {
  let ours = Infinity
  let naive = Infinity
  let links = 0
  let check = 0
  for (let round = 0; round < rounds; round++) {
    const loaded = await timed(() => readGraph(path, { keepSelf: true }))
    ours = Math.min(ours, loaded.seconds)
    const { graph } = loaded.result
    const looped = await timed(() => readlineLoop(path, form === 'gzip'))
    naive = Math.min(naive, looped.seconds)
    links = graph.links
    check = linkCheck(graph)
    const lists = Array.from({ length: graph.pages }, (_, page) => looped.result[page] ?? [])
    if (linkCheck(graphOf(lists)) !== check) throw new Error('the readline loop gives different links')
  }
  const row = {
    form,
    'file MB': short(statSync(path).size / 1e6),
    links,
    'M links/s': short(links / ours / 1e6),
    'M links/s, readline': short(links / naive / 1e6),
    'times as fast': short(naive / ours),
  }
  return { row, check }
}

async function readlineLoop(path: string, gzip: boolean): Promise<number[][]> {
  const file = createReadStream(path)
  const lists: number[][] = []
  for await (const line of createInterface({ input: gzip ? file.pipe(createGunzip()) : file })) {
    if (line.startsWith('#')) continue
    const [from, to] = line.split('\t')
    const list = (lists[Number(from)] ??= [])
    list.push(Number(to))
  }
  return lists
}

await benchmarkMain(import.meta.url, edgeListBenchmark)
