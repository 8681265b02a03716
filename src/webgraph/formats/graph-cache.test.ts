import { createHash } from 'node:crypto'
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { temporaryFolder } from '../../../test/temporary-folder.ts'
import { seededRandom } from '../../lib/random.ts'
import { CsrGraph } from '../csr-graph.ts'
import type { Web } from '../web.ts'
import { readGraph } from './index.ts'

const root = temporaryFolder()
let folder = ''
let path = ''
let number = 0

/**
 * An edge list of some megabytes with gaps in its ids, repeated links and links to themselves. A third column,
 * which readers ignore, makes it large.
 */
const edges = ((): string => {
  const random = seededRandom(1)
  const id = (): number => 2 * random.below(3000)
  const rest = 'x'.repeat(240)
  return Array.from({ length: 20_000 }, () => `${id()}\t${id()}\t${rest}\n`).join('')
})()

beforeEach(() => {
  folder = join(root, String(number++))
  mkdirSync(folder)
  path = join(folder, 'web.tsv')
  writeFileSync(path, edges)
  vi.stubEnv('XDG_CACHE_HOME', join(folder, 'caches'))
})

function contents({ graph, ids, counts }: Web): unknown {
  const { offsets, targets } = graph as CsrGraph
  return { offsets: digest(offsets), targets: digest(targets), ids: ids && digest(ids), counts }
}

/** Faster to compare than the array. */
function digest(array: Uint32Array): string {
  return createHash('sha1')
    .update(new Uint8Array(array.buffer, array.byteOffset, array.byteLength))
    .update(String(array.length))
    .digest('hex')
}

const cacheFolder = (): string => join(folder, 'caches', 'rankward', 'graphs')
const cacheFiles = (): string[] => (existsSync(cacheFolder()) ? readdirSync(cacheFolder()) : [])
const onlyCacheFile = (): string => join(cacheFolder(), cacheFiles()[0])

/** Whether the text was read: only then is there progress. */
async function readsText(options: { keepSelf?: boolean; urls?: string } = {}): Promise<boolean> {
  let reported = false
  await readGraph(path, { ...options, cache: true, progress: () => (reported = true) })
  return reported
}

describe('the cache of a graph', () => {
  it('gives the same web as the text, in the same form', async () => {
    const fromText = await readGraph(path)
    expect(cacheFiles()).toEqual([])
    await readGraph(path, { cache: true })
    expect(cacheFiles()).toEqual([expect.stringMatching(/^web\.tsv\.[0-9a-f]{12}\.[0-9a-f]{40}\.rwg$/)])
    expect(await readsText()).toBe(false)
    const fromCache = await readGraph(path, { cache: true })
    expect(fromCache.graph).toBeInstanceOf(CsrGraph)
    expect(contents(fromCache)).toEqual(contents(fromText))
  })

  it('is for one text: a change of one byte reads the text again and replaces the cache', async () => {
    expect(await readsText()).toBe(true)
    const [before] = cacheFiles()
    appendFileSync(path, '7\t9\n')
    expect(await readsText()).toBe(true)
    expect(cacheFiles()).toHaveLength(1)
    expect(cacheFiles()).not.toContain(before)
  })

  it('is for one URL list and one set of options', async () => {
    const urls = join(folder, 'urls.txt')
    writeFileSync(urls, Array.from({ length: 5999 }, (_, i) => `http://a.example/${i}\n`).join(''))
    expect(await readsText()).toBe(true)
    expect(await readsText({ urls })).toBe(true)
    expect(await readsText({ urls })).toBe(false)
    const { urls: cached } = await readGraph(path, { urls, cache: true })
    expect(cached?.at(7)).toBe('http://a.example/7')
    expect(await readsText({ urls, keepSelf: true })).toBe(true)
  })

  it('is replaced if it is damaged', async () => {
    const fromText = contents(await readGraph(path, { cache: true }))
    const bytes = readFileSync(onlyCacheFile())
    bytes[Math.floor(bytes.length / 2)] ^= 1
    writeFileSync(onlyCacheFile(), bytes)
    expect(contents(await readGraph(path, { cache: true }))).toEqual(fromText)
    expect(await readsText()).toBe(false)
  })

  it('leaves other files in its folder alone, and does without one if its folder is a file', async () => {
    mkdirSync(cacheFolder(), { recursive: true })
    writeFileSync(join(cacheFolder(), 'web.tsv.mine.rwg'), 'mine')
    await readGraph(path, { cache: true })
    expect(readFileSync(join(cacheFolder(), 'web.tsv.mine.rwg'), 'utf8')).toBe('mine')
    folder = join(root, String(number++))
    mkdirSync(folder)
    path = join(folder, 'web.tsv')
    writeFileSync(path, edges)
    vi.stubEnv('XDG_CACHE_HOME', join(folder, 'caches'))
    writeFileSync(join(folder, 'caches'), 'a file')
    chmodSync(join(folder, 'caches'), 0o400)
    expect(await readsText()).toBe(true)
    expect(readFileSync(join(folder, 'caches'), 'utf8')).toBe('a file')
  })

  it('is not written for small files', async () => {
    writeFileSync(path, '0\t1\n1\t2\n')
    await readGraph(path, { cache: true })
    expect(cacheFiles()).toEqual([])
  })
})
