import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { linkLists, seeded } from '../../../test/arbitrary-graph.ts'
import { temporaryFolder } from '../../../test/temporary-folder.ts'
import type { Web } from '../web.ts'
import { idOf } from '../web.ts'
import { EdgeParser } from './edge-parser.ts'
import { EdgeRuns } from './edge-runs.ts'
import { readGraph, writeGraph, type ReadGraphOptions } from './index.ts'

const folder = temporaryFolder()
let files = 0

async function read(text: string | Uint8Array, options?: ReadGraphOptions): Promise<Web> {
  const path = join(folder, `edges-${files++}.tsv`)
  writeFileSync(path, text)
  return readGraph(path, options)
}

function urlFile(lines: string): string {
  const path = join(folder, `urls-${files++}.txt`)
  writeFileSync(path, lines)
  return path
}

/** Link lists by original id. */
function linksById(web: Web): Record<number, number[]> {
  const cursor = web.graph.cursor()
  const lists: Record<number, number[]> = {}
  for (let page = 0; page < web.graph.pages; page++) {
    cursor.seek(page)
    const list = [...cursor.targets.subarray(cursor.start, cursor.end)]
    lists[idOf(web, page)] = list.map((target) => idOf(web, target))
  }
  return lists
}

describe('an edge list', () => {
  it('has the ids that occur as pages, links in the order of the file', async () => {
    const web = await read('# a comment\n7\t3\n1\t7\n7\t1\n\n  3 7 \r\n')
    expect(linksById(web)).toEqual({ 1: [7], 3: [7], 7: [3, 1] })
    expect(web.ids).toEqual(Uint32Array.from([1, 3, 7]))
  })

  it('has the pages of its header, linked or not', async () => {
    const web = await read('# Nodes: 5 Edges: 1\n1\t3\n')
    expect(linksById(web)).toEqual({ 0: [], 1: [3], 2: [], 3: [], 4: [] })
  })

  it('has sparse ids where the header counts fewer nodes than the largest id', async () => {
    const web = await read('# Nodes: 2 Edges: 1\n10\t4000000000\n')
    expect(linksById(web)).toEqual({ 10: [4_000_000_000], 4_000_000_000: [] })
  })

  it('loses self-links and repeats, and counts them', async () => {
    const text = '0\t0\n0\t1\n1\t2\n0\t1\n0\t2\n0\t0\n1\t0\n1\t2\n'
    const web = await read(text)
    expect(linksById(web)).toEqual({ 0: [1, 2], 1: [2, 0], 2: [] })
    expect(web.counts).toEqual({ linksInFile: 8, selfLinks: 2, repeatedLinks: 2 })
    const whole = await read(text, { keepSelf: true, keepRepeats: true })
    expect(linksById(whole)).toEqual({ 0: [0, 1, 1, 2, 0], 1: [2, 0, 2], 2: [] })
  })

  it('may be gzipped, in several members, and end without a newline', async () => {
    const web = await read(Buffer.concat([gzipSync('0\t1\n1\t'), gzipSync('2\n2\t0')]))
    expect(linksById(web)).toEqual({ 0: [1], 1: [2], 2: [0] })
  })

  it('may be empty, or nothing but comments', async () => {
    expect((await read('')).graph.pages).toBe(0)
    expect((await read('# nothing\n')).graph.pages).toBe(0)
    expect((await read('# Nodes: 3 Edges: 0\n')).graph.pages).toBe(3)
  })

  it('is parsed the same wherever its chunks are cut', () => {
    const text = '# Nodes: 4000000001 Edges: 3\n12\t4000000000\r\n4 5 0.25\n% other comment\n6,7\n'
    const parse = (chunks: Uint8Array[]): unknown => {
      const runs = new EdgeRuns()
      const parser = new EdgeParser('test', runs)
      for (const chunk of chunks) parser.feed(chunk)
      parser.finish()
      const ids = [...runs.distinctIds()]
      const lists: number[][] = []
      runs.eachList(
        ids.length,
        (id) => ids.indexOf(id),
        (list, from, to) => lists.push([...list.subarray(from, to)]),
      )
      return [parser.nodesInHeader, ids, lists]
    }
    const bytes = Buffer.from(text)
    const whole = parse([bytes])
    expect(whole).toEqual([4_000_000_001, [4, 5, 6, 7, 12, 4_000_000_000], [[1], [], [3], [], [5], []]])
    for (let cut = 0; cut <= bytes.length; cut++)
      expect(parse([bytes.subarray(0, cut), bytes.subarray(cut)])).toEqual(whole)
  })

  it('gives the same graph whatever the order of its lines, up to the order within a page', async () => {
    await fc.assert(
      fc.asyncProperty(linkLists(12, 6), fc.infiniteStream(fc.nat(1000)), async (lists, stream) => {
        const edges = lists.flatMap((list, page) =>
          list.map((target, at) => ({ page, target, at, key: stream.next().value! })),
        )
        const shuffled = edges.toSorted((a, b) => a.key - b.key)
        const header = `# Nodes: ${lists.length} Edges: ${edges.length}\n`
        const web = await read(header + shuffled.map(({ page, target }) => `${page}\t${target}\n`).join(''))
        const expected = Object.fromEntries(
          lists.map((_, page) => {
            const targets = shuffled.filter((edge) => edge.page === page).map(({ target }) => target)
            return [page, [...new Set(targets)].filter((target) => target !== page)]
          }),
        )
        expect(linksById(web)).toEqual(expected)
      }),
      seeded(50),
    )
  })

  it.each(['.tsv', '.tsv.gz'])('written as %s reads back the same, ids and order too', async (ending) => {
    const web = await read('7\t3\n1\t7\n7\t1\n3\t7\n')
    const path = join(folder, `back${ending}`)
    await writeGraph(web, path)
    expect(linksById(await readGraph(path))).toEqual(linksById(web))
  })
})

describe('a bad edge list is refused in one line with its position', () => {
  it.each([
    ['0\t1\n-1\t2\n', /:2: a negative id.*"-1 2"/],
    ['0\t1\n1\t-2\n', /:2: a negative id/],
    ['0\t4294967296\n', /:1: an id of 2\^32 or more/],
    ['0\t99999999999999999999999\n', /:1: an id of 2\^32 or more/],
    ['0\t1\n\n3\n', /:3: only one column/],
    ['0\t1\n3', /:2: only one column/],
    ['0\t1\n3 \n', /:2: only one column/],
    ['0\t1\na\tb\n', /:2: something other than a whole number/],
    ['0\t1.5\n', /:1: something other than a whole number/],
    [
      '0\t1\n1\tx\u001b[31m\n',
      /:2: something other than a whole number; a line is "from<TAB>to" \(read "1 x \[31m"\)\.$/,
    ],
  ])('%j', async (text, message) => {
    await expect(read(text)).rejects.toThrow(message)
  })

  it('a gzip that ends early', async () => {
    const whole = gzipSync(
      Array.from({ length: 50_000 }, (_, i) => `${i}\t${(i * 7919) % 50_000}\n`).join(''),
    )
    await expect(read(whole.subarray(0, whole.length / 2))).rejects.toThrow(
      /the gzip data ends early \(after \d+ decompressed bytes\)/,
    )
  })

  it('a gzip that is damaged', async () => {
    const whole = gzipSync('0\t1\n'.repeat(10_000))
    whole[20] ^= 0xff
    await expect(read(whole)).rejects.toThrow(/the gzip data is damaged|ends early/)
  })

  it('a file that does not exist, and a directory', async () => {
    await expect(readGraph(join(folder, 'absent'))).rejects.toThrow(
      /Cannot read .*absent: there is no such file/,
    )
    await expect(readGraph(folder)).rejects.toThrow(/it is a directory/)
  })

  it('a file of another kind', async () => {
    await expect(read('<html><body>not a graph</body></html>\n')).rejects.toThrow(
      /is not in a known graph format/,
    )
  })
})

describe('a URL list', () => {
  it('names the pages, and their hosts are the sites', async () => {
    const urls = urlFile('http://A.org/\nhttp://b.org/x\nhttp://a.org/y\n')
    const web = await read('0\t1\n1\t2\n', { urls })
    expect(web.urls?.at(2)).toBe('http://a.org/y')
    expect([...web.sites.ofPage]).toEqual([0, 1, 0])
    expect(web.sites.count).toBe(2)
  })

  it("may be Common Crawl's vertices", async () => {
    const web = await read('0\t1\n1\t0\n', { urls: urlFile('0\torg.example.www\n1\tcom.example\t3\n') })
    expect(web.urls?.at(0)).toBe('http://www.example.org/')
    expect(web.urls?.at(1)).toBe('http://example.com/')
  })

  it.each([
    [
      '# Nodes: 3 Edges: 1\n0\t1\n',
      'http://a/\nhttp://b/\n',
      /has 2 lines, but the header of .* says 3 nodes/,
    ],
    [
      '0\t2\n',
      'http://a/\nhttp://b/\n',
      /has 2 lines, but the largest id in .* is 2, so 3 lines were expected/,
    ],
    ['0\t1\n', 'http://a/\nhttp://b/\nhttp://c/\n', /has 3 lines.*put "# Nodes: 3" at the head/],
    ['0\t1\n', 'http://a/\nnonsense\n', /:2: no URL with a host \(read "nonsense"\)/],
    ['0\t1\n', '0\torg.a\n5\torg.b\n', /:2: expected vertex 1/],
  ])('that does not fit is refused: %j with %j', async (edges, urls, message) => {
    await expect(read(edges, { urls: urlFile(urls) })).rejects.toThrow(message)
  })
})

describe('a host link graph of a web archive', () => {
  it('has hosts as pages', async () => {
    const web = await read('1996|a.uk|b.uk\t2\n1996|b.uk|b.uk\t9\n1996|b.uk|c.uk\t1\n')
    expect(linksById(web)).toEqual({ 0: [1], 1: [2], 2: [] })
    expect(web.urls?.at(2)).toBe('http://c.uk/')
    expect(web.counts.selfLinks).toBe(1)
  })

  it('with a bad line is refused', async () => {
    await expect(read('1996|a.uk|b.uk\t2\n1996|b.uk\n')).rejects.toThrow(
      /:2: expected "year\|source\|target<TAB>count"/,
    )
  })
})
