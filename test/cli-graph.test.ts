import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { toCsr } from '../src/webgraph/csr-graph.ts'
import { readGraph } from '../src/webgraph/formats/index.ts'
import { expectRefusal, rankward, rankwardJson } from './command-line.ts'
import { absent, sharedPath } from './shared-data.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
const file = (name: string, text: string | Uint8Array): string => {
  writeFileSync(join(folder, name), text)
  return name
}
const text = (name: string): string => readFileSync(join(folder, name), 'latin1')
const lines = (name: string): string[] => text(name).split('\n').slice(0, -1)

/** The hand-worked example, with a self-link and a repeat. */
const seven = file('seven.tsv', '1\t3\n1\t4\n1\t5\n2\t5\n2\t2\n3\t1\n3\t5\n3\t6\n4\t2\n4\t2\n5\t7\n')

describe.concurrent('rankward graph info', () => {
  it('has the documented keys, and counts what S1 drops', async () => {
    expect(await rankwardJson(['graph', 'info', seven], folder)).toMatchObject({
      pages: 7,
      links: 9,
      linksInFile: 11,
      selfLinks: 1,
      repeatedLinks: 1,
      sites: 1,
      dangling: 2,
      maxInDegree: 3,
      maxOutDegree: 3,
      largestStrongComponent: 2,
      maxInDegreePage: 5,
      seeds: [1],
      reachableFromSeeds: 7,
      depthFromSeeds: 2,
    })
  })

  it('keeps self-links and repeated links with --keep-self and --keep-repeats', async () => {
    const kept = await rankwardJson(['graph', 'info', seven, '--keep-self', '--keep-repeats'], folder)
    expect(kept).toMatchObject({ links: 11, linksInFile: 11, selfLinks: 1, repeatedLinks: 1 })
  })

  it('takes sites from the URLs beside it', async () => {
    const urls = ['a.example', 'A.example:80', 'b.example', 'b.example:81'].map((host) => `http://${host}/\n`)
    const args = [
      'graph',
      'info',
      file('four.tsv', '0\t1\n1\t2\n2\t3\n'),
      '--urls',
      file('four.txt', urls.join('')),
    ]
    const { sites } = await rankwardJson<{ sites: number }>(args, folder)
    expect(sites).toBeGreaterThanOrEqual(3)
    expect((await rankward(args, folder)).stdout).toContain('http://')
  })

  it('draws both degree histograms', async () => {
    const { stdout, exitCode } = await rankward(['graph', 'info', seven], folder)
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/In-links of a page[^]+█[^]+Out-links of a page[^]+█/)
  })

  it('of an empty graph, of one page, of dangling pages alone is a correct trivial result', async () => {
    const info = (name: string, content: string): Promise<Record<string, unknown>> =>
      rankwardJson(['graph', 'info', file(name, content)], folder)
    expect(await info('empty.tsv', '')).toMatchObject({
      pages: 0,
      links: 0,
      largestStrongComponent: 0,
      seeds: [],
    })
    expect(await info('single.tsv', '# Nodes: 1 Edges: 0\n')).toMatchObject({
      pages: 1,
      dangling: 1,
      reachableFromSeeds: 1,
    })
    expect(await info('dangling.tsv', '# Nodes: 3 Edges: 0\n')).toMatchObject({
      pages: 3,
      dangling: 3,
      maxOutDegree: 0,
    })
  })
})

describe.concurrent('rankward graph convert', () => {
  const small = file('small.tsv', '# Nodes: 6 Edges: 6\n0\t1\n0\t3\n1\t2\n2\t0\n3\t4\n4\t0\n')

  async function roundTrip(from: string, name: string, options: string[] = []): Promise<string> {
    for (const [input, output] of [
      [from, `${name}.rwg`],
      [`${name}.rwg`, `${name}.graph`],
      [`${name}.graph`, `${name}.out.tsv.gz`],
    ]) {
      const { stderr, exitCode } = await rankward(['graph', 'convert', input, output, ...options], folder)
      expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 })
    }
    return gunzipSync(readFileSync(join(folder, `${name}.out.tsv.gz`))).toString('latin1')
  }

  const links = (list: string): string => list.replaceAll(/^#.*\n/gm, '')

  it('from .tsv over .rwg and .graph to .tsv.gz changes no link and loses no page', async () => {
    const back = await roundTrip(small, 'small')
    expect(links(back)).toBe(links(text(small)))
    expect(back).toMatch(/^# Nodes: 6 Edges: 6$/m)
  })

  it.skipIf(absent('data/wikispeedia.edges.tsv.gz'))(
    'does so with wikispeedia (skipped where shared/data is not beside the checkout)',
    async () => {
      const edges = sharedPath('data/wikispeedia.edges.tsv.gz')
      const back = await roundTrip(edges, 'real', ['--keep-self'])
      expect(links(back) === links(gunzipSync(readFileSync(edges)).toString('latin1'))).toBe(true)
    },
  )

  it('keeps ids, URLs and the order of links in .rwg', async () => {
    const input = file('ids.tsv', '70\t9\n70\t4\n9\t70\n')
    await rankward(['graph', 'convert', input, 'ids.rwg'], folder)
    await rankward(['graph', 'convert', 'ids.rwg', 'ids.out.tsv'], folder)
    expect(lines('ids.out.tsv').filter((line) => !line.startsWith('#'))).toEqual(['9\t70', '70\t9', '70\t4'])

    const urls = file('six.txt', Array.from({ length: 6 }, (_, i) => `http://h${i}.example/\n`).join(''))
    await rankward(['graph', 'convert', small, 'urls.rwg', '--urls', urls], folder)
    const { top } = await rankwardJson<{ top: { id: number; url: string }[] }>(
      ['graph', 'pagerank', 'urls.rwg'],
      folder,
    )
    expect(top.every(({ id, url }) => url === `http://h${id}.example/`)).toBe(true)
  })

  it('lists the written files in JSON', async () => {
    const told = await rankwardJson(['graph', 'convert', small, 'told.rwg'], folder)
    expect(told).toMatchObject({ pages: 6, links: 6, output: 'told.rwg' })
    expect(told['bytes']).toBe(readFileSync(join(folder, 'told.rwg')).length)
  })

  it('of an empty graph gives an empty graph in every format', async () => {
    expect(links(await roundTrip(file('nothing.tsv', ''), 'nothing'))).toBe('')
  })

  it('leaves no file if writing fails', async () => {
    const own = mkdtempSync(join(folder, 'unwritable-'))
    const unwritable = await rankward(['graph', 'convert', `../${small}`, 'no/such/folder/x.rwg'], own)
    expectRefusal(unwritable, 1, /Cannot write no\/such\/folder\/x\.rwg/)
    expect((await rankward(['graph', 'convert', `../${small}`, 'x.zip'], own)).stderr).toMatch(
      /x\.zip.*extension/,
    )
    expect(readdirSync(own)).toEqual([])
  })
})

describe.concurrent('rankward graph generate', () => {
  it('gives the same bytes for the same seed, others for another', async () => {
    const generate = async (out: string, seed: number): Promise<string> => {
      const args = [
        'graph',
        'generate',
        '--pages',
        '3000',
        '--sites',
        '30',
        '--seed',
        String(seed),
        '--out',
        out,
      ]
      expect(await rankwardJson(args, folder)).toMatchObject({ pages: 3000, sites: 30, seed, out })
      return text(out)
    }
    const first = await generate('first.rwg', 7)
    expect((await generate('again.rwg', 7)) === first).toBe(true)
    expect((await generate('other.rwg', 8)) === first).toBe(false)
  })

  it('writes the same web in every format, and its URLs', async () => {
    const graphs = ['same.rwg', 'same.tsv.gz', 'same.graph'].map(async (out) => {
      const args = ['graph', 'generate', '--pages', '500', '--out', out, '--urls-out', `${out}.txt`]
      expect((await rankward(args, folder)).exitCode).toBe(0)
      const { graph } = await readGraph(join(folder, out), { urls: join(folder, `${out}.txt`) })
      return [...toCsr(graph).offsets, ...toCsr(graph).targets]
    })
    const [first, ...others] = await Promise.all(graphs)
    for (const other of others) expect(other).toEqual(first)
    expect(new Set(lines('same.rwg.txt')).size).toBe(500)
  })
})

describe.concurrent('link farms', () => {
  const farmed = (out: string, ...more: string[]): Promise<Record<string, unknown>> =>
    rankwardJson(
      ['graph', 'generate', '--pages', '2000', '--farms', '4', '--farm-pages', '49', '--out', out, ...more],
      folder,
    )

  it('are generated beside the honest pages, and told', async () => {
    const told = await farmed('farms.rwg', '--farms-out', 'farms.txt')
    expect(told).toMatchObject({ pages: 2200, farmPages: 200, sites: 14, farmsOut: 'farms.txt' })
    expect(lines('farms.txt').map(Number)).toEqual(Array.from({ length: 200 }, (_, i) => 2000 + i))
    const same = await farmed('farms.tsv')
    expect(same['links']).toBe(told['links'])
    expect(await rankwardJson(['graph', 'info', 'farms.rwg'], folder)).toMatchObject({
      pages: 2200,
      sites: 14,
    })
  })

  it('have the most spam mass of all that rank high', async () => {
    await farmed('spam.rwg')
    const trust = Array.from({ length: 200 }, (_, i) => `${i * 10}\t1\n`).join('')
    const args = ['graph', 'spam', 'spam.rwg', '--trust', file('trusted.tsv', trust), '--top', '4']
    const found = await rankwardJson<{ top: { id: number; spam: number }[] }>(
      [...args, '--out', 'masses.tsv'],
      folder,
    )
    expect(found).toMatchObject({ pages: 2200, trusted: 200, gamma: 0.85, out: 'masses.tsv' })
    expect(found.top.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual([2000, 2050, 2100, 2150])
    const masses = new Map(
      lines('masses.tsv').map((line) => line.split('\t').map(Number) as [number, number]),
    )
    expect(masses.size).toBe(2200)
    for (const { id, spam } of found.top) expect(masses.get(id)).toBe(spam)
    expect((await rankward(args, folder)).stdout).toMatch(/2,200 pages, 200 of them trusted/)
  })

  it.each([
    ['', /--trust FILE or --seeds IDS/],
    ['--seeds x', /--seeds.*Expected page ids/],
    ['--seeds 99', /no page with id 99/],
    ['--seeds 1 --gamma 0', /gamma is 0/],
    ['--seeds 1 --gamma 2', /--gamma/],
  ])('spam mass refuses "%s" with one line and 2', async (options, line) => {
    const given = options.split(' ').filter((word) => word !== '')
    expectRefusal(await rankward(['graph', 'spam', seven, ...given], folder), 2, line)
  })
})

describe.concurrent('rankward graph pagerank', () => {
  file('zero.tsv', '1\t0\n')
  file('negative.tsv', '1\t-1\n')

  it('writes id and score with 17 significant digits, by S10, and reads them back', async () => {
    const args = ['graph', 'pagerank', seven, '--damping', '0.5', '--out', 'scores.tsv']
    const { top } = await rankwardJson<{ top: { id: number; score: number }[] }>(args, folder)
    const written = new Map(
      lines('scores.tsv')
        .map((line) => line.split('\t'))
        .map(([id, score]) => [Number(id), score]),
    )
    expect([...written.keys()]).toEqual([1, 2, 3, 4, 5, 6, 7])
    for (const [id, numerator] of Object.entries({ 1: 12, 2: 16, 3: 12, 4: 12, 5: 22, 6: 12, 7: 21 })) {
      const score = written.get(Number(id))!
      expect(
        score
          .replace(/e.*$/, '')
          .replace(/^0\.0*/, '')
          .replace('.', ''),
      ).toHaveLength(17)
      expect(Number(score)).toBeCloseTo(numerator / 107, 12)
    }
    // The shortest text of a double reads back as the same double: so did the one with 17 digits.
    for (const { id, score } of top) expect(Number(written.get(id))).toBe(score)
  })

  it('takes the scores of another run as history, unchanged', async () => {
    await rankward(['graph', 'pagerank', seven, '--out', 'history.tsv'], folder)
    const order = [
      '--strategy',
      'historical-pagerank-zero',
      '--historical-scores',
      'history.tsv',
      '--order',
      'o.txt',
      '--scores',
    ]
    expect((await rankward(['simulate', seven, ...order], folder)).exitCode).toBe(0)
    const history = new Map(lines('history.tsv').map((line) => line.split('\t') as [string, string]))
    for (const line of lines('o.txt')) {
      const [id, score] = line.split('\t')
      expect(Number(score)).toBe(Number(history.get(id)))
    }
  })

  it('is personalised by a trust vector', async () => {
    const args = ['graph', 'pagerank', seven, '--damping', '0.5', '--trust', file('trust.tsv', '1\t5\n')]
    const { top } = await rankwardJson<{ top: { id: number; score: number }[] }>(args, folder)
    expect(top[0].id).toBe(1)
    expect(top[0].score).toBeCloseTo(144 / 259, 12)
  })

  it('of an empty graph has no scores, of dangling pages equal ones', async () => {
    const ranked = (content: string): Promise<{ top: { score: number }[] }> =>
      rankwardJson(['graph', 'pagerank', file(`trivial-${content.length}.tsv`, content)], folder)
    expect((await ranked('')).top).toEqual([])
    expect((await ranked('# Nodes: 4 Edges: 0\n')).top.map(({ score }) => score)).toEqual([
      0.25, 0.25, 0.25, 0.25,
    ])
  })

  it.each([
    ['--damping 0', /--damping.*between 0 and 1/],
    ['--damping 1', /--damping.*between 0 and 1/],
    ['--damping x', /--damping.*between 0 and 1/],
    ['--tolerance 0', /--tolerance/],
    ['--threads 0', /--threads.*from 1 to/],
    ['--trust zero.tsv', /trust/],
  ])('refuses %s with one line and 2', async (option, line) => {
    expectRefusal(await rankward(['graph', 'pagerank', seven, ...option.split(' ')], folder), 2, line)
  })

  it('refuses a negative weight with its place', async () => {
    const args = ['graph', 'pagerank', seven, '--trust', 'negative.tsv']
    expectRefusal(await rankward(args, folder), 1, /negative\.tsv:1: expected "id<TAB>weight"/)
  })
})
