/** `rankward simulate --recrawl-policy` from the command line. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { expectRefusal, rankward, rankwardJson } from './command-line.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text)
  return name
}

/** Ids with gaps: 1 → 3 4 5, 2 → 5, 3 → 1 5 6, 4 → 2, 5 → 7. */
const seven = file('seven.tsv', '1\t3\n1\t4\n1\t5\n2\t5\n3\t1\n3\t5\n3\t6\n4\t2\n5\t7\n')
const rates = file('rates.tsv', '1\t0.1\n2\t0\n3\t0.5\n4\t0.2\n5\t1\n6\t0.3\n7\t2\n')

interface Run {
  strategy: string
  recrawl: string
  freshness: Record<string, unknown> & {
    weighted: number
    optimal: number
    regret: number
    curve: number[]
    fetches: number
  }
}

const simulate = (...args: string[]): Promise<{ runs: Run[] }> =>
  rankwardJson<{ runs: Run[] }>(['simulate', ...args], folder)

/** A site of two pages: the first changes on day 10 and links to the second, which is born then. */
function recordedSite(): void {
  const start = 1_500_000_000
  const at = (days: number): number => start + days * 86_400
  const hash = (letter: string): string => letter.repeat(16)
  const rows = {
    'pages.tsv.gz': ['0\t/\t1\t', '1\t/a\t1\t'],
    'versions.tsv.gz': [
      `0\t${at(0)}\t10\t${hash('1')}\t${hash('a')}\t${hash('a')}`,
      `0\t${at(10)}\t10\t${hash('2')}\t=\t${hash('b')}`,
      `1\t${at(10)}\t10\t${hash('3')}\t${hash('c')}\t${hash('c')}`,
      `0\t${at(40)}\t10\t${hash('4')}\t${hash('d')}\t=`,
    ],
    'links.tsv.gz': [`${at(0)}\t0\t=`, `${at(10)}\t0\t=1`, `${at(10)}\t1\t=`],
  }
  mkdirSync(join(folder, 'site'))
  for (const [name, lines] of Object.entries(rows))
    writeFileSync(join(folder, 'site', name), gzipSync(lines.map((line) => `${line}\n`).join('')))
}

beforeAll(recordedSite)

describe('rankward simulate --recrawl-policy', () => {
  it('has the documented keys, with a hundred points of the curve', async () => {
    const { runs } = await simulate(
      seven,
      '--recrawl-policy',
      'greedy,uniform',
      '--rate',
      '2',
      '--days',
      '60',
      '--seeds',
      '1',
    )
    expect(runs.map(({ recrawl, strategy }) => [recrawl, strategy])).toEqual([
      ['greedy', 'omniscient'],
      ['uniform', 'omniscient'],
    ])
    for (const { freshness } of runs) {
      expect(Object.keys(freshness).sort()).toEqual(
        [
          'age',
          'curve',
          'discovery',
          'fetches',
          'optimal',
          'plain',
          'regret',
          'weighted',
          'weightedAge',
          'yield',
        ].sort(),
      )
      expect(freshness.curve).toHaveLength(100)
      expect(freshness['discovery']).toMatchObject({ pages: 0, unseen: 0, mean: null, median: null })
      expect(freshness.fetches).toBe(12)
      expect(freshness.regret).toBeCloseTo(1 - freshness.weighted / freshness.optimal, 12)
    }
  })

  it('writes every fetch as days, id and verdict, with 17 digits', async () => {
    const args = [seven, '--recrawl-policy', 'mass', '--rate', '7', '--days', '3', '--seeds', '1']
    await simulate(...args, '--change-rates', rates, '--fetches', 'fetches.tsv', '--strategy', 'opic')
    const lines = readFileSync(join(folder, 'fetches.tsv'), 'latin1').split('\n').slice(0, -1)
    expect(lines).toHaveLength(21)
    const rows = lines.map((line) => line.split('\t'))
    expect(rows[0]).toEqual(['0.0000000000000000', '1', 'first'])
    expect(rows.slice(0, 7).every(([, , verdict]) => verdict === 'first')).toBe(true)
    expect(new Set(rows.slice(0, 7).map(([, id]) => Number(id)))).toEqual(new Set([1, 2, 3, 4, 5, 6, 7]))
    rows.forEach(([day], i) => expect(Number(day)).toBeCloseTo(i / 7, 9))
    // Page 2 never changes.
    expect(rows.filter(([, id, verdict]) => id === '2' && verdict === 'changed')).toEqual([])
  })

  it('takes units in the rate: 1/h is 24 a day', async () => {
    const hourly = await simulate(
      seven,
      '--recrawl-policy',
      'uniform',
      '--rate',
      '1/h',
      '--days',
      '2',
      '--seeds',
      '1',
    )
    const daily = await simulate(
      seven,
      '--recrawl-policy',
      'uniform',
      '--rate',
      '24',
      '--days',
      '2',
      '--seeds',
      '1',
    )
    expect(hourly.runs[0].freshness).toEqual(daily.runs[0].freshness)
  })

  it('crawls a folder of recorded changes, as the graph or beside one', async () => {
    const alone = await simulate('site', '--recrawl-policy', 'uniform', '--rate', '1', '--from', '0')
    expect(alone.runs[0].freshness['discovery']).toMatchObject({ pages: 2, unseen: 0 })
    const args = ['--changes', 'site', '--recrawl-policy', 'uniform', '--rate', '1', '--from', '0']
    const same = await simulate('site', ...args)
    expect(same.runs[0].freshness).toEqual(alone.runs[0].freshness)
    const beside = await simulate(file('site.tsv', '0\t1\n'), ...args)
    expect(beside.runs[0].freshness['discovery']).toMatchObject({ pages: 2, unseen: 0 })
  })

  it('counts as a change what --change says', async () => {
    const fetches = async (change: string): Promise<string[]> => {
      await simulate(
        'site',
        '--recrawl-policy',
        'uniform',
        '--rate',
        '1',
        '--change',
        change,
        '--fetches',
        `${change}.tsv`,
      )
      return readFileSync(join(folder, `${change}.tsv`), 'latin1')
        .split('\n')
        .slice(0, -1)
    }
    const changed = (lines: readonly string[]): number =>
      lines.filter((line) => line.endsWith('changed')).length
    expect(changed(await fetches('links'))).toBe(1)
    expect(changed(await fetches('text'))).toBe(0)
  })

  it('prints a table and the course of freshness, and writes all measures as CSV', async () => {
    const args = [
      'simulate',
      seven,
      '--recrawl-policy',
      'greedy,mass',
      '--rate',
      '2',
      '--days',
      '60',
      '--seeds',
      '1',
    ]
    const { stdout, exitCode } = await rankward([...args, '--csv', 'freshness.csv'], folder)
    expect(exitCode).toBe(0)
    expect(stdout).toContain('Freshness from day 54 to day 60, 2 fetches per day')
    expect(stdout).toMatch(/a {2}greedy +0\.\d{4}/)
    const [header, ...rows] = readFileSync(join(folder, 'freshness.csv'), 'utf8').split('\n').slice(0, -1)
    expect(header).toContain('recrawl,strategy,percent,weightedFreshness,plain,weighted,age')
    expect(rows).toHaveLength(200)
    expect(rows.every((row) => row.split(',').length === header.split(',').length)).toBe(true)
  })

  it('is reported with its freshness over time', async () => {
    const args = [
      'simulate',
      seven,
      '--recrawl-policy',
      'greedy,mass',
      '--rate',
      '2',
      '--days',
      '60',
      '--seeds',
      '1',
    ]
    const { stdout } = await rankward([...args, '--json'], folder)
    const { exitCode } = await rankward(
      ['report', file('saved.json', stdout), '--out', 'report.html'],
      folder,
    )
    expect(exitCode).toBe(0)
    const page = readFileSync(join(folder, 'report.html'), 'utf8')
    expect(page).toContain('Freshness over time')
    expect(page).toContain('Measures of freshness')
  })

  it('runs under the virtual clock with any frontier', async () => {
    for (const frontier of ['two-level', 'mercator', 'webbase']) {
      const time = ['--connections', '2', '--wait', '60', '--bandwidth', '50000', '--frontier', frontier]
      const recrawl = ['--recrawl-policy', 'greedy', '--rate', '500', '--days', '3', '--seeds', '1']
      const { runs } = await simulate(seven, ...recrawl, ...time)
      expect(runs[0].freshness.weighted).toBeGreaterThan(0.5)
    }
  })

  it.each([
    [['--recrawl-policy', 'greedy', '--days', '3'], /needs a budget: give rate/],
    [
      ['--recrawl-policy', 'greedy', '--rate', 'x', '--days', '3'],
      /--rate.*Expected a number of fetches above 0/,
    ],
    [['--recrawl-policy', 'greedy', '--rate', '1', '--days', '0'], /--days.*Expected a number above 0/],
    [['--recrawl-policy', 'gredy', '--rate', '1', '--days', '3'], /Did you mean greedy\?/],
    [
      ['--recrawl-policy', 'greedy', '--rate', '1', '--days', '3', '--set', 'prior=1'],
      /--set.*prior=1.*Expected two numbers above 0/,
    ],
    [['--strategy', 'opic', '--rate', '1'], /--rate needs --recrawl-policy/],
    [['--strategy', 'opic', '--set', 'siteClock=false'], /--set siteClock needs --recrawl-policy/],
    [['--recrawl-policy', 'greedy', '--rate', '1'], /does not end: give its days/],
    [
      ['--recrawl-policy', 'greedy', '--rate', '1', '--days', '3', '--cost', 'time'],
      /--cost.*Expected one of fetch, bytes/,
    ],
    [['--strategy', 'opic', '--change', 'text'], /give --changes FOLDER too/],
    [
      ['--recrawl-policy', 'greedy,mass', '--rate', '1', '--days', '3', '--fetches', 'x'],
      /--fetches takes one/,
    ],
    [['--seeds', '1'], /required option '-s, --strategy <names>' not specified/],
  ])('refuses %j', async (args, message) => {
    expectRefusal(await rankward(['simulate', seven, ...args], folder), 2, message)
  })

  it('refuses files of rates with a negative rate, and folders without a record', async () => {
    const args = ['simulate', seven, '--recrawl-policy', 'greedy', '--rate', '1', '--days', '3']
    const bad = file('bad.tsv', '1\t0.5\n3\t-1\n')
    expectRefusal(
      await rankward([...args, '--change-rates', bad], folder),
      1,
      /bad\.tsv:2: expected "id<TAB>changes per day" with a number of at least 0/,
    )
    expectRefusal(await rankward([...args, '--changes', 'nowhere'], folder), 1, /nowhere/)
  })
})
