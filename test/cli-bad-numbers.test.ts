/** Files of numbers and options of simulations that make no sense: one line that says what is wrong and where. */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { expectRefusal, rankward, rankwardJson } from './command-line.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
const ring = '0\t1\n1\t2\n2\t0\n'

function folderOf(files: Readonly<Record<string, string>>): string {
  const own = mkdtempSync(join(folder, 'case-'))
  for (const [name, content] of Object.entries({ 'web.tsv': ring, ...files }))
    writeFileSync(join(own, name), content)
  return own
}

const simulate = ['simulate', 'web.tsv', '--strategy']
const good = '0\t1\n1\t2\n2\t3\n'

describe('a file of numbers', () => {
  it.each([
    [
      'a negative weight',
      ['rankmass', '--trust', 'n.tsv'],
      '0\t-1\n',
      /n\.tsv:1: .*"id<TAB>weight" with a number of at least 0/,
    ],
    [
      'a negative score',
      ['opic', '--historical-scores', 'n.tsv'],
      '0\t1\n1\t-2\n',
      /n\.tsv:2: .*"id<TAB>score" with a number of at least 0/,
    ],
    [
      'a name of a site',
      ['opic', '--sites-file', 'n.tsv'],
      '0\ta.example\n',
      /n\.tsv:1: .*"id<TAB>site" with a whole number/,
    ],
    [
      'a fraction of a site',
      ['opic', '--sites-file', 'n.tsv'],
      '0\t1\n1\t1.5\n2\t1\n',
      /n\.tsv:2: .*"id<TAB>site" with a whole number/,
    ],
    [
      'a negative size',
      ['opic', '--page-bytes', 'n.tsv', '--wait', '1'],
      '0\t-5\n',
      /n\.tsv:1: .*"id<TAB>bytes" with a number of at least 0/,
    ],
  ] as const)('with %s is refused, with its line', async (_what, args, text, line) => {
    expectRefusal(await rankward([...simulate, ...args], folderOf({ 'n.tsv': text })), 1, line)
  })

  it.each([
    ['a page', ['--page-bytes', 'n.tsv', '--bandwidth', '1000'], '0\t1e300\n1\t5\n2\t5\n'],
    ['a wait', ['--wait', '1e300'], good],
    ['a latency', ['--set', 'siteNet=n.tsv', '--wait', '1'], '0\t1e300\t1000\n'],
  ] as const)(
    'of %s that takes longer than a thousand years is a mistake, not an internal error',
    async (_what, args, text) => {
      const own = folderOf({ 'n.tsv': text })
      expectRefusal(await rankward([...simulate, 'opic', ...args], own), 2, /takes more than 1000 years/)
    },
  )

  it('may begin with a byte order mark, as the graph may', async () => {
    const own = folderOf({ 'web.tsv': `\ufeff${ring}`, 'trust.tsv': `\ufeff${good}` })
    const end = await rankward([...simulate, 'rankmass', '--trust', 'trust.tsv', '--json'], own)
    expect(end.stderr).toBe('')
    expect(JSON.parse(end.stdout)).toMatchObject({ graph: { pages: 3, links: 3 }, seeds: [0, 1, 2] })
  })
})

describe('a header of an edge list', () => {
  it.each(['4294967297', '99999999999', '9'.repeat(400)])('with %s nodes is refused', async (nodes) => {
    const own = folderOf({ 'web.tsv': `# Nodes: ${nodes} Edges: 3\n${ring}` })
    expectRefusal(await rankward([...simulate, 'opic'], own), 1, /web\.tsv:1: the header says 9*[\d]+ nodes/)
  })
})

describe('an option', () => {
  it('--coverage takes a percentage, as that of a crawl does', async () => {
    const visited = async (coverage: string): Promise<number> => {
      const args = [...simulate, 'rankmass', '--coverage', coverage]
      const { runs } = await rankwardJson<{ runs: { visited: number }[] }>(args, folderOf({}))
      return runs[0].visited
    }
    expect(await visited('25%')).toBe(await visited('0.25'))
  })

  it.each([
    [
      ['simulate', 'web.tsv', '-s', 'opic', '--set', 'bufferEstimate=score'],
      /bufferEstimate.*needs --buffer/,
    ],
    [
      ['graph', 'generate', '--pages', '50', '--out', 'g.rwg', '--farm-pages', '5'],
      /--farm-pages.*needs --farms/,
    ],
    [
      ['graph', 'generate', '--pages', '50', '--out', 'g.rwg', '--hijacked-links', '5'],
      /--hijacked-links.*needs --farms/,
    ],
    [['experiment', 'frontiers', '--repeat', '3'], /--repeat is an option of the experiment orders/],
    [['experiment', 'frontiers', '--strategy', 'opic'], /--strategy is an option of the experiment orders/],
    [['experiment', 'cho', '--changes', '.'], /--changes is an option of the experiment freshness/],
  ] as const)('without the one that it needs is refused: %o', async (args, line) => {
    expectRefusal(await rankward(args, folderOf({})), 2, line)
  })
})
