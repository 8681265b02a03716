/** Topics on the command line: a generated web with words, simulated, and what is refused. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { expectRefusal, rankward, rankwardJson } from './command-line.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
const web = ['simulate', 'web.tsv', '--urls', 'web.urls.txt']
const withPages = [...web, '--pages-content', 'web.pages.jsonl.gz']

interface Document {
  runs: { strategy: string; visited: number; hot: { rule: string; hot: number; pst: number[] }[] }[]
  skipped: { strategy: string; why: string }[]
}

const area = ({ pst }: { pst: number[] }): number => pst.reduce((sum, share) => sum + share, 0) / pst.length

describe('a topic in the simulator', () => {
  beforeAll(async () => {
    const made = await rankward(
      ['graph', 'generate', '--pages', '3000', '--topics', '6', '--seed', '1', '--out', 'web.tsv'],
      folder,
    )
    if (made.exitCode !== 0) throw new Error(made.stderr)
  })

  it('is found sooner by strategies that follow it', async () => {
    const rule = 'title:computer or body:computer>=10'
    const strategies = 'breadth-first,near-hot-breadth-first,learned-topic'
    const { runs } = await rankwardJson<Document>(
      [...withPages, '--topic', 'computer', '--strategy', strategies, '--hot', rule],
      folder,
    )
    const [breadth, near, learned] = runs.map(({ hot }) => area(hot[0]))
    expect(runs[0].hot[0]).toMatchObject({ rule })
    expect(runs[0].hot[0].hot).toBeGreaterThan(50)
    expect(near).toBeGreaterThan(breadth)
    expect(learned).toBeGreaterThan(near)
  })

  it('may be many rules, likeness, combined importance and sums of strategies', async () => {
    const rules = [
      'similarity>=0.1',
      '(title:music or url:music) and backlinks>=3',
      '5*similarity+0.1*backlinks>=1',
    ]
    const { runs } = await rankwardJson<Document>(
      [
        ...withPages,
        '--topic',
        'music',
        '--strategy',
        'learned-topic*0.7+backlink-count*0.3',
        ...rules.flatMap((rule) => ['--hot', rule]),
      ],
      folder,
    )
    expect(runs[0].hot.map(({ rule }) => rule)).toEqual(rules)
    for (const { hot, pst } of runs[0].hot) {
      expect(hot).toBeGreaterThan(0)
      expect(pst.at(-1)).toBe(1)
    }
  })

  it('may be a scorer, or a rule alone', async () => {
    writeFileSync(
      join(folder, 'long.ts'),
      'export default ({ text }: { text: string }) => (text.length > 1500 ? 1 : 0)',
    )
    const scored = await rankwardJson<Document>(
      [...withPages, '--scorer', './long.ts', '--strategy', 'learned-topic,random', '--hot', 'score>=1'],
      folder,
    )
    const [learned, random] = scored.runs.map(({ hot }) => area(hot[0]))
    expect(scored.runs[0].hot[0].hot).toBeGreaterThan(20)
    expect(learned).toBeGreaterThan(random)
    const plain = await rankwardJson<Document>(
      [...withPages, '--strategy', 'opic', '--hot', 'body:energy>=5'],
      folder,
    )
    expect(plain.runs[0].hot[0].hot).toBeGreaterThan(5)
  })

  it('says for how many pages the scorer returned no number', async () => {
    writeFileSync(join(folder, 'thrower.mjs'), 'export default () => { throw new Error("no model") }')
    const { stderr, exitCode } = await rankward(
      [
        ...withPages,
        '--scorer',
        './thrower.mjs',
        '--strategy',
        'learned-topic',
        '--pages',
        '10',
        '--no-progress',
      ],
      folder,
    )
    expect(exitCode).toBe(0)
    expect(stderr).toBe(
      'rankward: note: the scorer returned no number for 3,000 pages (the last: no model (thrower.mjs:1))\n',
    )
  })

  it('is left out of all where there is none', async () => {
    const { skipped } = await rankwardJson<Document>([...web, '--strategy', 'all', '--pages', '100'], folder)
    expect(skipped.map(({ strategy }) => strategy)).toContain('learned-topic')
  })

  writeFileSync(join(folder, 'idf.tsv'), 'computer\t7\n')
  writeFileSync(join(folder, 'pages.jsonl'), '{"url":"http://other.example/","content":"<p>x"}\n')
  it.each<[string, string[], RegExp, 1 | 2]>([
    ['a topic without words', [...withPages, '--topic', '!?', '--strategy', 'opic'], /has no words/, 2],
    [
      'a driving rule that no crawl can know',
      [...withPages, '--topic', 'a', '--topic-hot', 'backlinks>=5', '--strategy', 'opic'],
      /"backlinks", which is not available during a crawl/,
      2,
    ],
    ['a strategy without a topic', [...web, '--strategy', 'learned-topic'], /learned-topic needs a topic/, 2],
    [
      'a topic without pages',
      [...web, '--strategy', 'opic', '--topic', 'a'],
      /needs the contents of the pages.*--pages-content/,
      2,
    ],
    ['pages without a topic', [...withPages, '--strategy', 'opic'], /--pages-content needs a topic/, 2],
    [
      'a rule by words without pages',
      [...web, '--strategy', 'opic', '--hot', 'title:a'],
      /--pages-content/,
      2,
    ],
    [
      'a rule that is none',
      [...withPages, '--strategy', 'opic', '--hot', 'title:a or'],
      /not a rule for hot pages/,
      2,
    ],
    [
      'a metric that is none',
      [...withPages, '--strategy', 'opic', '--hot', 'title:a and beauty>=3'],
      /an unknown metric, "beauty"/,
      2,
    ],
    [
      'a language without stems',
      [...withPages, '--topic', 'a', '--language', 'klingon', '--strategy', 'opic'],
      /klingon/,
      2,
    ],
    [
      'a language without a topic',
      [...web, '--language', 'en', '--strategy', 'opic'],
      /--language belongs to a topic/,
      2,
    ],
    [
      'a scorer that is not there',
      [...withPages, '--scorer', 'no.ts', '--strategy', 'opic'],
      /no\.ts: there is no such file/,
      2,
    ],
    [
      'an idf file without its number',
      [...withPages, '--topic', 'a', '--idf', 'idf.tsv', '--strategy', 'opic'],
      /# Documents: N/,
      1,
    ],
    [
      'pages of another web',
      [...web, '--pages-content', 'pages.jsonl', '--topic', 'a', '--strategy', 'opic'],
      /has no page of this graph/,
      1,
    ],
    [
      'pages without URLs',
      ['simulate', 'web.tsv', '--pages-content', 'web.pages.jsonl.gz', '--topic', 'a', '--strategy', 'opic'],
      /option urls/,
      2,
    ],
  ])('refuses %s', async (_what, args, line, code) => {
    expectRefusal(await rankward([...args, '--no-progress'], folder), code, line)
  })
})

describe('a topic on the command line of crawl', () => {
  const command = ['crawl', 'http://127.0.0.1:1/', '--out', 'never', '--dry-run', '--contact', 'a@b.example']
  it.each([
    ['a rule without a topic', ['--set', 'topicHot=title:a'], /--set topicHot belongs to a topic/],
    ['a strategy without a topic', ['--strategy', 'near-hot-pagerank'], /near-hot-pagerank needs a topic/],
    ['a topic without words', ['--topic', '!?'], /has no words/],
    [
      'a rule that a crawl cannot know',
      ['--topic', 'a', '--set', 'topicHot=backlinks>=5'],
      /"backlinks", which is not available during a crawl/,
    ],
    ['a likeness that is none', ['--topic', 'a', '--set', 'likeness=love'], /one of cosine, inner/],
    ['a language without stems', ['--topic', 'a', '--language', 'xx'], /xx/],
    ['a scorer that is not there', ['--scorer', 'no.ts'], /no\.ts: there is no such file/],
    [
      'a coverage that no strategy proves',
      ['--topic', 'a', '--strategy', 'learned-topic', '--coverage', '0.9'],
      /--coverage needs a guarantee/,
    ],
  ])('is refused: %s', async (_what, options, line) => {
    const end = await rankward([...command, ...options], folder)
    expectRefusal(end, 2, line)
  })

  it('is shown in a dry run', async () => {
    const { stdout, exitCode } = await rankward([...command, '--topic', 'solar energy'], folder)
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/learned-topic/)
    expect(stdout).toMatch(
      /Looks for +pages about solar energy\n +relevant: title:solar or title:energy or body:solar \+ body:energy >= 10/,
    )
  })
})
