/** What Rankward did not write is never overwritten or removed: every command that writes, against files of others. */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, truncateSync } from 'node:fs'
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { smallCrawl } from '../src/crawler/read/export/small-crawl.cases.ts'
import { CrawlFolder } from '../src/crawler/record/crawl-folder.ts'
import { logIn, removeRecord } from '../src/crawler/record/record-folder.ts'
import { SegmentLog } from '../src/crawler/record/segment-log.ts'
import { expectRefusal, rankward } from './command-line.ts'
import { temporaryFolder } from './temporary-folder.ts'

const program = join(import.meta.dirname, '..', 'dist', 'bundle', 'main.js')
const root = temporaryFolder()
const at = (...names: string[]): string => join(root, ...names)
const foreign = 'data of the user\n'

function put(path: string, text = foreign): void {
  mkdirSync(dirname(at(path)), { recursive: true })
  writeFileSync(at(path), text)
}

/** Every file and folder below, with its bytes. */
function contentOf(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return Object.fromEntries(
    entries.map((entry) => {
      const path = join(entry.parentPath, entry.name)
      return [path, entry.isFile() ? readFileSync(path, 'latin1') : 'folder']
    }),
  )
}

beforeAll(async () => {
  put('web.tsv', '0\t1\n1\t2\n2\t0\n')
  await smallCrawl(at('crawl'))
})

const seed = 'http://127.0.0.1:9/'
const crawl = ['crawl', seed, '--allow-private']
const demo = ['demo', '--pages', '20', '--sites', '2', '--wait', '0']
const simulate = ['simulate', '../web.tsv', '--strategy', 'breadth-first']
const generate = ['graph', 'generate', '--pages', '20']

/** A command, run beside the foreign files that it would overwrite. */
const cases: [command: string[], files: string[]][] = [
  [
    [...crawl, '--out', 'out'],
    ['out/warc/photo.jpg', 'out/record/diary.txt'],
  ],
  [[...crawl, '--out', 'out'], ['out/crawl.json']],
  [[...crawl, '--out', 'out'], ['out/trust.tsv']],
  [[...crawl, '--out', 'out'], ['out/historical-scores.tsv']],
  [[...crawl, '--out', '.'], ['thesis.tex']],
  [
    ['resume', 'out'],
    ['out/crawl.json', 'out/warc/rankward-0-00000.warc.gz'],
  ],
  [['resume', 'out'], ['out/warc/photo.jpg']],
  [[...demo, '--out', 'out'], ['out/photo.jpg']],
  [[...demo, '--out', 'out', '--json'], ['out/warc/photo.jpg']],
  [[...demo, '--out', 'out'], ['out/crawl.json']],
  [
    ['export', '../crawl', '--to', 'out'],
    ['out/pages.parquet', 'out/links.parquet'],
  ],
  [['export', '../crawl', '--to', 'out'], ['out/photo.jpg']],
  [['export', '../crawl', '--to', 'out'], ['out/export.json']],
  [['export', '../crawl', '--to', 'web.parquet'], ['web.parquet']],
  [['export', '../crawl', '--to', 'web.tsv'], ['web.links.tsv']],
  [['export', '../crawl', '--to', 'web.tsv.gz', '--format', 'edges'], ['web.urls.txt.gz']],
  [['report', '../crawl', '--out', 'page.html'], ['page.html']],
  [
    ['report', '../crawl', '--out', 'page.html'],
    ['page-importance.csv', 'page-top-pages.csv', 'page-curve.csv'],
  ],
  [['report', 'runs.json'], ['report.html']],
  [['experiment', 'strategies', '--pages', '20', '--out', 'out'], ['out/strategies.html']],
  [['experiment', 'strategies', '--pages', '20', '--out', 'out'], ['out/photo.jpg']],
  [[...simulate, '--order', 'order.txt'], ['order.txt']],
  [[...simulate, '--csv', 'curves.csv'], ['curves.csv']],
  [[...simulate, '--completions', 'times.tsv'], ['times.tsv']],
  [['graph', 'convert', '../web.tsv', 'web.rwg'], ['web.rwg']],
  [['graph', 'convert', '../web.tsv', 'web.tsv.gz'], ['web.tsv.gz']],
  [['graph', 'convert', '../web.tsv', 'web.graph'], ['web.graph']],
  [['graph', 'convert', '../web.tsv', 'web.graph'], ['web.properties']],
  [['graph', 'convert', '../web.tsv', 'web.graph'], ['web.offsets']],
  [[...generate, '--out', 'web.rwg'], ['web.rwg']],
  [[...generate, '--out', 'web.tsv'], ['web.tsv']],
  [[...generate, '--out', 'web.rwg', '--urls-out', 'urls.txt'], ['urls.txt']],
  [[...generate, '--out', 'web.rwg', '--farms', '1', '--farms-out', 'farms.txt'], ['farms.txt']],
  [[...generate, '--out', 'web.rwg', '--topics', '1'], ['web.pages.jsonl.gz']],
  [[...generate, '--out', 'web.rwg', '--topics', '1'], ['web.urls.txt']],
  [['graph', 'pagerank', '../web.tsv', '--out', 'scores.tsv'], ['scores.tsv']],
  [['graph', 'spam', '../web.tsv', '--seeds', '0', '--out', 'spam.tsv'], ['spam.tsv']],
]

const refusal =
  /holds files that Rankward did not write \([^)]+\)\. Choose|already exists: choose another name/
const noCrawl = /holds no crawl|crawl\.json in out is damaged/

describe.concurrent('foreign files are refused and left as they were', () => {
  it.each(cases.map(([command, files], i) => [command.join(' '), files.join(' '), i] as const))(
    'rankward %s, beside %s',
    async (_command, _files, i) => {
      const [command, files] = cases[i]
      const folder = `case-${i}`
      for (const file of files) put(join(folder, file))
      const before = contentOf(at(folder))
      expectRefusal(await rankward(command, at(folder)), 2, command[0] === 'resume' ? noCrawl : refusal)
      expect(contentOf(at(folder))).toEqual(before)
    },
  )
})

describe('a crawl with foreign files among its own', () => {
  it('is not resumed over a WARC file of another crawl, and keeps a user’s file', async () => {
    cpSync(at('crawl'), at('resumed'), { recursive: true })
    put('resumed/warc/rankward-7-00000.warc.gz')
    put('resumed/warc/notes.txt')
    put('resumed/trust.tsv', 'http://evil.example/\t1\n')
    const refused = await rankward(['resume', 'resumed', '--pages', '14', '--no-progress'], root)
    expectRefusal(refused, 2, /rankward-7-00000\.warc\.gz.*Move them away/)
    for (const name of ['warc/rankward-7-00000.warc.gz', 'warc/notes.txt']) {
      expect(readFileSync(at('resumed', name), 'utf8')).toBe(foreign)
    }
  })

  it.each(['warc.gz', 'cdxj'])('is not resumed over a user’s file in place of its %s', async (ending) => {
    const folder = `replaced-${ending}`
    cpSync(at('crawl'), at(folder), { recursive: true })
    put(`${folder}/warc/rankward-0-00000.${ending}`, foreign.repeat(10_000))
    const before = contentOf(at(folder))
    const refused = await rankward(['resume', folder, '--pages', '14', '--no-progress'], root)
    expectRefusal(refused, 2, new RegExp(`rankward-0-00000\\.${ending}.*Move them away`))
    // The record may have a new segment without a group.
    for (const name of ['crawl.json', `warc/rankward-0-00000.warc.gz`, `warc/rankward-0-00000.cdxj`]) {
      const path = at(folder, name)
      expect(readFileSync(path, 'latin1')).toBe(before[path])
    }
  })

  it('says that a WARC file has lost pages', async () => {
    cpSync(at('crawl'), at('cut'), { recursive: true })
    truncateSync(at('cut', 'warc', 'rankward-0-00000.warc.gz'), 1000)
    const refused = await rankward(['resume', 'cut', '--pages', '14', '--no-progress'], root)
    expectRefusal(
      refused,
      1,
      /rankward-0-00000\.warc\.gz .*it ends here, but the crawl's record has pages up to/,
    )
  })

  it('can be started again with the same command if it was killed before its first group', async () => {
    const command = [...crawl, '--out', 'again', '--no-progress', '--attempts', '1']
    expect((await rankward(command, root)).stderr).toMatch(/No page was fetched/)
    // As a kill leaves it: no totals, and a record without a group.
    CrawlFolder.open(at('again')).update({ totals: undefined, endedAt: undefined, groups: undefined })
    removeRecord(at('again', 'record'))
    await (await SegmentLog.open(logIn(at('again', 'record')))).close()
    put('again/notes.txt')
    expect((await rankward(command, root)).stderr).toMatch(/No page was fetched/)
    expect(readFileSync(at('again', 'notes.txt'), 'utf8')).toBe(foreign)
  })
})

describe('files of ours', () => {
  const done = async (...command: string[]): Promise<string> => {
    const { stdout, stderr, exitCode } = await rankward(command, root)
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 })
    return stdout
  }

  it('are replaced by the command that wrote them, unless they were edited', async () => {
    for (const command of [
      ['report', 'crawl', '--out', 'ours/report.html'],
      ['export', 'crawl', '--to', 'exported', '--format', 'tsv'],
    ]) {
      await done(...command)
      await done(...command)
    }
    put('exported/pages.tsv', 'edited')
    expectRefusal(
      await rankward(['export', 'crawl', '--to', 'exported', '--format', 'tsv'], root),
      2,
      /pages\.tsv/,
    )
    await done('export', 'crawl', '--to', 'exported', '--format', 'tsv', '--overwrite')
    expect(readFileSync(at('exported', 'pages.tsv'), 'utf8')).toMatch(/^page\t/)
    const data = readdirSync(at('ours')).find((name) => name.endsWith('.csv'))!
    put(`ours/${data}`, 'edited')
    expectRefusal(await rankward(['report', 'crawl', '--out', 'ours/report.html'], root), 2, /--overwrite/)
    await done('report', 'crawl', '--out', 'ours/report.html', '--overwrite')
  })

  it('a demo replaces an earlier demo', async () => {
    await done(...demo, '--out', 'demo', '--json')
    put('demo/notes.txt')
    await done(...demo, '--out', 'demo', '--json')
    expect(readFileSync(at('demo', 'notes.txt'), 'utf8')).toBe(foreign)
  })

  it('empty files and devices are written, and --overwrite replaces a file', async () => {
    put('order.txt', '')
    put('curves.csv')
    const inputs = [
      'simulate',
      'web.tsv',
      '--strategy',
      'breadth-first',
      '--seeds',
      '0',
      '--connections',
      '1',
      '--wait',
      '0',
    ]
    await done(
      ...inputs,
      '--order',
      'order.txt',
      '--csv',
      'curves.csv',
      '--completions',
      '/dev/null',
      '--overwrite',
    )
    expect(readFileSync(at('order.txt'), 'utf8')).toBe('0\n1\n2\n')
    expect(readFileSync(at('curves.csv'), 'utf8')).toMatch(/^strategy,/)
    // Through a pipe: Node gives its children sockets, which cannot be opened by a path.
    const line = `"${process.execPath}" "${program}" graph pagerank web.tsv --top 0 --out /dev/stdout | cat`
    expect(execFileSync('sh', ['-c', line], { cwd: root, encoding: 'utf8' })).toMatch(/^0\t0\.333/)
  })
})

describe('export to standard output', () => {
  it.each([
    [[], /^page\turl\t/],
    [['--table', 'links'], /^from\tto\n0\t1\n/],
    [['--format', 'edges'], /^# Nodes: \d+ Edges: \d+\n# FromNodeId\tToNodeId\n0\t1\n/],
    [['--table', 'urls'], /^http:\/\/[^\t]+\nhttp/],
  ])('%j is one table and nothing else', async (options, expected) => {
    const { stdout, stderr, exitCode } = await rankward(['export', 'crawl', '--to', '-', ...options], root)
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 })
    expect(stdout).toMatch(expected)
    expect(existsSync(at('-'))).toBe(false)
  })

  it.each([
    [['--format', 'parquet'], /Parquet cannot be written to standard output/],
    [['--format', 'tsv,edges'], /one table, but 2 formats/],
    [['--format', 'tsv', '--table', 'urls'], /Format tsv has no table urls: expected pages or links/],
    [['--json'], /both write to standard output/],
  ])('%j is refused', async (options, line) => {
    expectRefusal(await rankward(['export', 'crawl', '--to', '-', ...options], root), 2, line)
    expect(existsSync(at('-'))).toBe(false)
  })
})
