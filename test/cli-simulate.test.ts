import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { expectRefusal, rankward, rankwardJson } from './command-line.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text)
  return name
}
const lines = (name: string): string[] => readFileSync(join(folder, name), 'latin1').split('\n').slice(0, -1)

/** The hand-worked example of SEMANTICS: 1 → 3 4 5, 2 → 5, 3 → 1 5 6, 4 → 2, 5 → 7. */
const seven = file('seven.tsv', '1\t3\n1\t4\n1\t5\n2\t5\n3\t1\n3\t5\n3\t6\n4\t2\n5\t7\n')
const sites = file('sites.tsv', '1\t30\n2\t20\n3\t10\n4\t30\n5\t20\n6\t10\n7\t10\n')
const history = file('history.tsv', '1\t0.4\n3\t0.05\n7\t0.4\n')

interface Run {
  strategy: string
  visited: number
  stoppedBecause: string
  averageCumulativePagerank: number
  curve: number[]
  pcs: number[]
  hot: { rule: string; hot: number; pst: number[] }[]
  buffer?: { capacity: number; backlinks: number; pagerank: number }
  rankMass?: { guaranteed: [number, number][]; downloadsGuaranteed: Record<string, number | null> }
}

interface Document {
  graph: Record<string, number>
  seeds: number[]
  runs: Run[]
}

function simulate(graph: string, ...options: string[]): Promise<Document> {
  return rankwardJson<Document>(['simulate', graph, ...options], folder)
}

let orders = 0

/** The order file of one strategy on the example. */
async function order(...options: string[]): Promise<string[]> {
  const out = `order-${orders++}.txt`
  const args = ['simulate', seven, '--seeds', '1', '--damping', '0.5', '--order', out, ...options]
  const { stderr, exitCode } = await rankward(args, folder)
  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 })
  return lines(out)
}

describe.concurrent('rankward simulate', () => {
  it('has the documented keys, with a hundred points a curve', async () => {
    const options = ['--strategy', 'rankmass,backlink-count', '--hot', 'backlinks>=2', '--seeds', '1']
    const document = await simulate(seven, ...options, '--sites-file', sites, '--damping', '0.5')
    expect(document.graph).toEqual({ pages: 7, links: 9, sites: 3, reachable: 7 })
    expect(document.seeds).toEqual([1])
    expect(document.runs.map(({ strategy }) => strategy)).toEqual(['rankmass', 'backlink-count'])
    for (const run of document.runs) {
      expect(run).toMatchObject({
        options: { damping: 0.5 },
        visited: 7,
        averageCumulativePagerank: expect.any(Number),
        kendallTau: expect.any(Number),
        kendallTauA: expect.any(Number),
        kendallTauB: expect.any(Number),
        hot: [{ rule: 'backlinks>=2', hot: 1 }],
        seconds: expect.any(Number),
        peakRssBytes: expect.any(Number),
      })
      for (const curve of [run.curve, run.pcs, run.hot[0].pst]) expect(curve).toHaveLength(100)
      expect(run.curve[99]).toBeCloseTo(1, 12)
    }
    const { rankMass } = document.runs[0]
    expect(rankMass).toMatchObject({
      downloadsGuaranteed: { 0.5: 1 },
      downloadsTrue: { 0.5: 1, 0.98: expect.any(Number) },
      downloadsOptimal: { 0.5: 1 },
    })
    expect(rankMass!.guaranteed.slice(0, 3)).toEqual([
      [1, expect.closeTo(1 / 2, 12)],
      [2, expect.closeTo(7 / 12, 12)],
      [3, expect.closeTo(49 / 72, 12)],
    ])
  })

  it.each([
    ['breadth-first', '1 3 4 5 6 2 7'],
    ['opic', '1 3 5 7 6 4 2'],
    ['larger-sites-first', '1 4 5 3 7 6 2', '--sites-file', sites],
    ['batch-pagerank', '1 3 4 5 7 2 6', '--every', '3'],
    ['historical-pagerank-parent', '1 4 5 7 2 3 6', '--historical-scores', history],
    ['windowed-rankmass', '1 3 4 5 2 7 6', '--set', 'window=50%'],
  ])('writes the hand-worked order of %s, one id a line', async (strategy, ids, ...options) => {
    expect((await order('--strategy', strategy, ...options)).join(' ')).toBe(ids)
  })

  it('adds the score at selection with --scores', async () => {
    const rows = (await order('--strategy', 'opic', '--scores')).map((line) => line.split('\t').map(Number))
    expect(rows.map(([id]) => id)).toEqual([1, 3, 5, 7, 6, 4, 2])
    const scores = [0, 1 / 3, 7 / 9, 16 / 9, 4 / 9, 1 / 3, 4 / 3]
    expect(rows.map(([, score]) => score)).toEqual(scores.map((score) => expect.closeTo(score, 12)))
  })

  it('starts by itself at the page that reaches most, and counts what that reaches as the web', async () => {
    const graph = file('part.tsv', '5\t6\n1\t2\n2\t3\n3\t1\n')
    const part = await simulate(graph, '--strategy', 'breadth-first')
    expect(part).toMatchObject({ seeds: [1], graph: { pages: 5, reachable: 3 }, runs: [{ visited: 3 }] })
    expect(part.runs[0].curve[99]).toBeCloseTo(1, 12)
    const whole = await simulate(graph, '--strategy', 'breadth-first', '--whole-web')
    expect(whole).toMatchObject({ seeds: [1], runs: [{ visited: 3 }] })
    expect(whole.runs[0].curve[99]).toBeLessThan(0.9)
  })

  it('takes seeds from a file, ids or URLs', async () => {
    const graph = file('urls.tsv', '0\t1\n2\t0\n')
    const urls = file('urls.txt', 'http://a.example/\nhttp://b.example/x\nhttp://c.example/\n')
    const byId = ['--seeds-file', file('ids.txt', '# seeds\n2\n\n1\n')]
    const byUrl = ['--seeds-file', file('mixed.txt', 'http://c.example/\n1\n'), '--urls', urls]
    for (const options of [byId, byUrl])
      expect((await simulate(graph, '--strategy', 'breadth-first', ...options)).seeds).toEqual([2, 1])
    const unknown = ['--seeds-file', file('unknown.txt', '1\nhttp://d.example/\n'), '--urls', urls]
    const end = await rankward(['simulate', graph, '--strategy', 'opic', ...unknown], folder)
    expectRefusal(end, 2, /unknown\.txt:2: "http:\/\/d\.example\/" is neither an id nor a URL/)
  })

  it('trusts pages by weight, and starts from them', async () => {
    const options = [
      '--strategy',
      'rankmass',
      '--trust',
      file('trust.tsv', '2\t3\n1\t1\n'),
      '--damping',
      '0.5',
    ]
    const { seeds, runs } = await simulate(seven, ...options)
    expect(seeds).toEqual([2, 1])
    // The first download is page 2, which has three quarters of the mass: (1 - d) · 3/4 is certain then.
    expect(runs[0].rankMass!.guaranteed[0]).toEqual([1, expect.closeTo(3 / 8, 12)])
  })

  it('stops at --pages, and at a guaranteed --coverage', async () => {
    const stopped = await simulate(seven, '--strategy', 'breadth-first', '--pages', '3', '--seeds', '1')
    expect(stopped.runs[0]).toMatchObject({ visited: 3, stoppedBecause: 'pages' })
    const options = ['--strategy', 'rankmass', '--coverage', '0.6', '--damping', '0.5', '--seeds', '1']
    const covered = await simulate(seven, ...options)
    expect(covered.runs[0]).toMatchObject({
      visited: 3,
      stoppedBecause: 'coverage',
      rankMass: { downloadsGuaranteed: { 0.6: 3 } },
    })
  })

  it('counts hot pages by every rule, and what a limited buffer keeps', async () => {
    const hot = ['--hot', 'backlinks>=3', '--hot', 'pagerank>=1.2', '--hot', 'top 1']
    const options = ['--strategy', 'breadth-first', '--seeds', '1', '--damping', '0.5', '--buffer', '2']
    const { runs } = await simulate(seven, ...options, ...hot)
    expect(runs[0].hot.map((rule) => [rule.rule, rule.hot])).toEqual([
      ['backlinks>=3', 1],
      ['pagerank>=1.2', 2],
      ['top 1', 1],
    ])
    expect(runs[0].buffer).toMatchObject({ capacity: 2, pagerank: expect.any(Number) })
    const share = await simulate(seven, '--strategy', 'opic', '--buffer', '50%')
    expect(share.runs[0].buffer?.capacity).toBe(4)
  })

  it.each([
    ['50%', 2],
    ['34%', 2],
    ['33%', 1],
    ['100%', 3],
  ])('takes a buffer of %s of the pages that the seeds reach, rounded up', async (percent, capacity) => {
    // Page 2 leads to 5 and 7 alone.
    const { runs } = await simulate(seven, '--strategy', 'opic', '--seeds', '2', '--buffer', percent)
    expect(runs[0].buffer?.capacity).toBe(capacity)
  })

  it('writes all curves as CSV', async () => {
    const args = ['simulate', seven, '--strategy', 'opic,omniscient', '--csv', 'curves.csv', '--hot', 'top 1']
    expect((await rankward(args, folder)).exitCode).toBe(0)
    const [head, ...rows] = lines('curves.csv')
    expect(head).toBe('strategy,percent,cumulativePagerank,ideal,random,pcs,pst top 1')
    expect(rows).toHaveLength(200)
    expect(rows[0]).toMatch(/^opic,1,/)
    expect(rows[199]).toMatch(/^omniscient,100,/)
  })

  it('runs all strategies that the web has the inputs for, and says which it has not', async () => {
    const { stdout, exitCode } = await rankward(['simulate', seven, '--strategy', 'all'], folder)
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/^location was left out: needs URLs/m)
    expect(stdout).toMatch(/exact-rankmass/)
  })

  it('adds weighted strategies', async () => {
    const weighted = 'backlink-count*0.3+opic*0.7'
    expect((await simulate(seven, '--strategy', weighted, '--seeds', '1')).runs[0]).toMatchObject({
      strategy: weighted,
      visited: 7,
    })
  })

  it('of one page, and of dangling pages alone, is a correct trivial result', async () => {
    const strategies = ['--strategy', 'breadth-first,pagerank,exact-rankmass,ideal']
    const single = await simulate(file('single.tsv', '# Nodes: 1 Edges: 0\n'), ...strategies)
    for (const run of single.runs) expect(run).toMatchObject({ visited: 1, averageCumulativePagerank: 1 })
    const dangling = file('dangling.tsv', '# Nodes: 3 Edges: 0\n')
    const alone = await simulate(dangling, ...strategies)
    expect(alone).toMatchObject({ graph: { pages: 3, links: 0, reachable: 1 }, seeds: [0] })
    for (const run of alone.runs) expect(run).toMatchObject({ visited: 1, averageCumulativePagerank: 1 })
    const seeded = await simulate(dangling, ...strategies, '--seeds', '2,0,1')
    for (const run of seeded.runs) expect(run.visited).toBe(3)
  })
})

describe.concurrent('rankward simulate --shards', () => {
  const run = async (...options: string[]): Promise<Run & { cluster: Record<string, number> }> => {
    const { runs } = await simulate(
      seven,
      '--sites-file',
      sites,
      '--seeds',
      '1',
      '--strategy',
      'exact-rankmass',
      ...options,
    )
    return runs[0] as Run & { cluster: Record<string, number> }
  }

  it('crawls the same pages in a cluster, and proves the same coverage', async () => {
    const { visited, cluster } = await run(
      '--shards',
      '3',
      '--workers',
      '2',
      '--faults',
      'kills=0.01,loss=0.1,delay=1',
    )
    expect(visited).toBe(7)
    expect(cluster).toMatchObject({ shards: 3, workers: 2 })
    expect(cluster.coverage).toBeGreaterThan(1 - 1e-6)
    expect(cluster.messages).toBeGreaterThan(0)
  })

  it('stops at a coverage that the journals prove', async () => {
    const { stoppedBecause, visited, cluster } = await run('--shards', '3', '--coverage', '0.3')
    expect(stoppedBecause).toBe('coverage')
    expect(cluster.coverage).toBeGreaterThanOrEqual(0.3)
    expect(visited).toBeLessThan(7)
  })

  it('ends a simulated cluster after the pages of the budget', async () => {
    const { stoppedBecause, visited } = await run('--shards', '3', '--workers', '2', '--pages', '4')
    expect({ stoppedBecause, visited }).toEqual({ stoppedBecause: 'pages', visited: 4 })
  })

  it('ends there also if pages on several shards are equally good', async () => {
    await rankward(['graph', 'generate', '--pages', '40', '--sites', '13', '--out', 'forty.rwg'], folder)
    for (const pages of [10, 15, 20, 25, 30]) {
      const given = `-s breadth-first,backlink-count --shards 5 --workers 3 --pages ${pages}`
      const { runs } = await simulate('forty.rwg', ...given.split(' '))
      expect(runs.map(({ visited }) => visited)).toEqual([pages, pages])
    }
  })
})

describe.concurrent('rankward simulate refuses, with one line and 2,', () => {
  file('empty.tsv', '')
  file('zero.tsv', '1\t0\n')
  file('stranger.tsv', '99\t1\n')
  it.each([
    [
      'an unknown strategy, naming the nearest',
      '--strategy opik',
      /no strategy "opik"\. Did you mean opic\?/,
    ],
    ['an unknown part of a sum', '--strategy opic+opik', /no strategy "opik"/],
    ['a part that has no scores', '--strategy opic*0.5+random*0.5', /random has no scores/],
    ['a weight that is none', '--strategy opic*x', /"opic\*x" is not a valid part/],
    ['no strategy', '--strategy ,', /--strategy.*Expected names separated by commas/],
    ['a strategy that lacks its input', '--strategy location', /location needs URLs/],
    ['seeds that do not exist', '--strategy opic --seeds 1,99', /no page with id 99.*from 1 to 7/],
    [
      'seeds that are no ids',
      '--strategy opic --seeds one',
      /--seeds.*Expected page ids separated by commas/,
    ],
    ['a seed twice', '--strategy opic --seeds 1,1', /A seed is given twice/],
    ['seeds twice', '--strategy opic --seeds 1 --seeds-file ../zero.tsv', /--seeds-file.*--seeds/],
    ['damping 0', '--strategy opic --damping 0', /--damping.*between 0 and 1/],
    ['damping 1', '--strategy opic --damping 1', /--damping.*between 0 and 1/],
    ['coverage 1', '--strategy rankmass --coverage 1', /--coverage.*between 0 and 1/],
    [
      'coverage of what guarantees none',
      '--strategy opic --coverage 0.9',
      /guarantees no coverage.*exact-rankmass/,
    ],
    ['one order file for two', '--strategy opic,random --order o.txt', /--order takes one strategy/],
    ['scores without an order file', '--strategy opic --scores', /--scores.*--order/],
    ['no pages', '--strategy opic --pages 0', /--pages.*at least 1/],
    ['an interval of 0', '--strategy pagerank --every 0', /--every.*at least 1/],
    [
      'a window of 0',
      '--strategy windowed-rankmass --set window=0',
      /--set.*window=0.*Expected a percentage/,
    ],
    ['a rule that is none', '--strategy opic --hot fame>=3', /"fame>=3" is not a rule for hot pages/],
    ['a buffer of 0', '--strategy opic --buffer 0', /--buffer.*Expected a number of pages or a percentage/],
    ['no trusted page', '--strategy rankmass --trust ../zero.tsv', /[Tt]rust/],
    ['workers without shards', '--strategy opic --workers 3', /--workers needs --shards/],
    [
      'a fault that is none',
      '--strategy opic --shards 2 --faults kill=1',
      /--faults.*Expected kills, not kill/,
    ],
    ['a fault without a number', '--strategy opic --shards 2 --faults kills', /NAME=NUMBER.*links-losses/],
    [
      'a strategy that needs the whole web',
      '--strategy pagerank --shards 2',
      /pagerank does not run on several shards.*exact-rankmass/,
    ],
    [
      'a limit of failures on shards',
      '--strategy opic --shards 2 --failures 3',
      /option failures does not work on several shards/,
    ],
    [
      'connections on shards',
      '--strategy opic --shards 2 --connections 3',
      /such as connections and wait, do not/,
    ],
    ['patience without a clock', '--strategy opic --patience 0.5', /needs --connections or --shards/],
    ['a slow factor alone', '--strategy opic --set slowFactor=3', /--set slowFactor needs --set slowRate/],
    ['queues of another frontier', '--strategy opic --set queues=4', /--set queues needs --frontier webbase/],
    [
      'trust in a stranger',
      '--strategy rankmass --trust ../stranger.tsv',
      /stranger\.tsv.*not in this graph/,
    ],
  ])('%s', async (_, options, line) => {
    const own = mkdtempSync(join(folder, 'refused-'))
    expectRefusal(await rankward(['simulate', `../${seven}`, ...options.split(' ')], own), 2, line)
    expect(readdirSync(own)).toEqual([])
  })

  it('an empty graph', async () => {
    expectRefusal(
      await rankward(['simulate', 'empty.tsv', '--strategy', 'opic'], folder),
      2,
      /graph is empty/,
    )
  })
})

describe.concurrent('a strategy of one’s own', () => {
  const typed = `
    interface Setting { readonly damping: number }
    export default (_setting: Setting) => {
      const links: number[] = []
      return {
        name: 'mine',
        discovered: () => 0,
        visited: () => 1,
        linked: (page: number, share: number) => (links[page] = (links[page] ?? 0) + share),
        score: (page: number) => links[page] ?? 0,
      }
    }`
  file('package.json', '{ "type": "module" }')
  const classy = `
    class Mine {
      links = []
      discovered() { return 0 }
      visited() { return 1 }
      linked(page, share) { return (this.links[page] = this.score(page) + share) }
      score(page) { return this.links[page] ?? 0 }
    }
    export const strategy = () => new Mine()`

  it.each([
    ['a TypeScript module', './mine.ts', typed],
    ['a JavaScript module, and a class', './mine.mjs', classy],
    ['a .js file in a folder of modules', './mine.js', classy],
  ])('can be %s, and crawls as one of ours', async (_, name, code) => {
    file(name, code)
    expect((await order('--strategy', name)).join(' ')).toBe('1 3 5 4 6 7 2')
  })

  it.each([
    ['is not there', './gone.ts', undefined, /gone\.ts: there is no such file/],
    ['cannot be parsed', './syntax.ts', 'const x: = 3', /Cannot load the strategy \.\/syntax\.ts: line 1/],
    [
      'cannot be parsed, in JavaScript',
      './syntax.mjs',
      'const = 3',
      /Cannot load the strategy \.\/syntax\.mjs/,
    ],
    ['throws when loaded', './thrower.mjs', 'throw "no"', /Cannot load the strategy \.\/thrower\.mjs: no/],
    ['exports no function', './none.mjs', 'export const other = 3', /none\.mjs exports no strategy/],
    [
      'makes no strategy',
      './lacking.mjs',
      'export default () => ({})',
      /lacks discovered, visited, linked, score/,
    ],
    [
      'throws when made',
      './making.mjs',
      'export default () => { throw Error("ouch") }',
      /making\.mjs failed: ouch/,
    ],
    [
      'throws in the middle',
      './middle.mjs',
      'export default () => ({ discovered() { return 0 }, visited() { throw Error("ouch") }, linked: () => 0, score: () => 0 })',
      /middle\.mjs failed: ouch/,
    ],
  ])('that %s gets one line and 2', async (_, name, code, line) => {
    if (code !== undefined) file(name, code)
    expectRefusal(await rankward(['simulate', seven, '--strategy', name], folder), 2, line)
  })
})

describe.concurrent('what looks after itself', () => {
  // A home page that links to 300 others, and to a calendar without an end: 12,000 days, each of which leads to the next.
  const honest = 301
  const days = Array.from({ length: 12_000 }, (_, day) => honest + day)
  const links = [
    ...Array.from({ length: honest }, (_, i) => [0, i + 1]),
    ...days.slice(0, -1).map((day) => [day, day + 1]),
  ]
  const calendar = file('calendar.tsv', links.map(([from, to]) => `${from}\t${to}\n`).join(''))
  const urls = file(
    'calendar-urls.txt',
    Array.from({ length: honest + days.length }, (_, page) =>
      page < honest ? `http://a.example/p${page}.html\n` : `http://a.example/day?n=${page}\n`,
    ).join(''),
  )

  it('--traps closes a calendar after a long row of days, and the honest pages all come', async () => {
    const options = ['--seeds', '0', '--urls', urls, '--strategy', 'breadth-first']
    const visited = async (...more: string[]): Promise<number> => {
      const { runs } = await simulate(calendar, ...options, ...more)
      return runs[0].visited
    }
    expect(await visited()).toBe(honest + days.length)
    const watched = await visited('--traps')
    expect(watched).toBeGreaterThan(honest + 10_000)
    expect(watched).toBeLessThan(honest + 10_500)
  })

  it('--traps changes neither scores nor guarantees of a timed crawl where there are none', async () => {
    const generate = '--pages 200 --sites 8 --out eight.tsv --urls-out eight-urls.txt'
    await rankward(['graph', 'generate', ...generate.split(' ')], folder)
    const timed = async (order: string, ...more: string[]): Promise<[number, number][]> => {
      const given = `--urls eight-urls.txt -s rankmass --connections 4 --wait 1 --order ${order} --scores`
      const { runs } = await simulate('eight.tsv', ...given.split(' '), ...more)
      return runs[0].rankMass!.guaranteed
    }
    await timed('without.tsv')
    const guaranteed = (await timed('with.tsv', '--traps')).map(([, value]) => value)
    expect(lines('with.tsv')).toEqual(lines('without.tsv'))
    expect(guaranteed.length).toBeGreaterThan(100)
    expect(guaranteed).toEqual(guaranteed.toSorted((a, b) => a - b))
  })

  it('--demote-spam is refused where sites are ordered, and left out of all', async () => {
    const alone = ['simulate', seven, '--strategy', 'larger-sites-first', '--demote-spam', '0.9']
    expectRefusal(
      await rankward(alone, folder),
      2,
      /larger-sites-first orders sites.*does not support spam demotion/,
    )
    const { runs } = await simulate(seven, '--strategy', 'all', '--demote-spam', '0.9', '--seeds', '1')
    expect(runs.map(({ strategy }) => strategy)).not.toContain('larger-sites-first')
    expect(runs.map(({ visited }) => visited)).toEqual(runs.map(() => 7))
  })
})

describe('rankward simulate --repeat', () => {
  interface Repeated extends Document {
    repeated: { strategy: string; repeats: number; averageCumulativePagerank: Record<string, number> }[]
    runs: (Run & { repeat: number; seeds: number[] })[]
  }

  it('shows means and bands in table, JSON and CSV', async () => {
    const args = ['simulate', 'ring.tsv', '-s', 'breadth-first,random', '--repeat', '3']
    file(
      'ring.tsv',
      Array.from({ length: 40 }, (_, i) => `${i}\t${(i + 1) % 40}\n${i}\t${(i * 7) % 40}\n`).join(''),
    )
    const { runs, repeated } = await rankwardJson<Repeated>([...args, '--csv', 'ring.csv'], folder)
    expect(runs.map(({ strategy, repeat }) => `${strategy} ${repeat}`)).toEqual([
      'breadth-first 1',
      'random 1',
      'breadth-first 2',
      'random 2',
      'breadth-first 3',
      'random 3',
    ])
    expect(new Set(runs.map(({ seeds }) => seeds[0])).size).toBe(3)
    const values = runs
      .filter(({ strategy }) => strategy === 'random')
      .map((run) => run.averageCumulativePagerank)
    const { mean, low, high } = repeated[1].averageCumulativePagerank
    expect(mean).toBeCloseTo((values[0] + values[1] + values[2]) / 3, 12)
    expect(low).toBeLessThan(mean)
    expect(high - mean).toBeCloseTo(mean - low, 12)
    const [head, first] = lines('ring.csv')
    expect(head).toContain('cumulativePagerank,cumulativePagerank low,cumulativePagerank high')
    expect(first).toMatch(/^breadth-first,1,3,/)

    const { stdout } = await rankward(args, folder)
    expect(stdout).toContain('from 3 starts')
    expect(stdout).toMatch(/^b {2}random +3 {2}0\.\d{4} ±0\.\d{4}/m)
    expectRefusal(
      await rankward([...args, '-s', 'random', '--order', 'o.txt'], folder),
      2,
      /--order belongs to a single run/,
    )
  })

  it('takes several webs', async () => {
    const { repeated, runs } = await rankwardJson<Repeated>(['simulate', seven, seven, '-s', 'opic'], folder)
    expect(repeated).toMatchObject([{ strategy: 'opic', repeats: 2 }])
    expect(runs[0].averageCumulativePagerank).toBe(repeated[0].averageCumulativePagerank['mean'])
    const refused = await rankward(['simulate', seven, seven, '-s', 'opic', '--sites-file', sites], folder)
    expectRefusal(refused, 2, /--sites-file belongs to one graph, so it does not work with several graphs/)
  })
})
