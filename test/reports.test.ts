/** Every experiment and `report`, from the command line to the page in a real browser. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectRefusal, rankward, rankwardJson } from './command-line.ts'
import { chromiumNote, newTab, startChromium, withoutChromium } from './support/chromium.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { xmlElements } from './xml-checker.ts'

const folder = temporaryFolder()
const reports = join(folder, 'reports')
const hostileName = `a <b>"&'.json`

interface Written {
  experiments: { name: string; report: string; files: string[] }[]
}
let written: Written

beforeAll(async () => {
  written = await rankwardJson<Written>([
    'experiment',
    'all',
    '--pages',
    '400',
    '--seed',
    '3',
    '--out',
    reports,
  ])
  await rankward(['graph', 'generate', '--pages', '1000', '--out', 'web.rwg'], folder)
  const args = [
    'simulate',
    'web.rwg',
    '--strategy',
    'opic,rankmass',
    '--hot',
    'backlinks>=3',
    '--connections',
    '4',
    '--wait',
    '1',
  ]
  const { stdout } = await rankward([...args, '--json'], folder)
  for (const name of ['runs.json', hostileName]) writeFileSync(join(folder, name), stdout)
  await rankward(['report', 'runs.json', hostileName, '--out', join(reports, 'saved.html')], folder)
})

const page = (name: string): string => readFileSync(join(reports, `${name}.html`), 'utf8')

/** The rows of a CSV without quoted line ends, as numbers where they are. */
function csvRows(name: string): (string | number)[][] {
  const [, ...lines] = readFileSync(join(reports, name), 'utf8').trimEnd().split('\r\n')
  return lines.map((line) =>
    line.split(',').map((cell) => (cell === '' || Number.isNaN(Number(cell)) ? cell : Number(cell))),
  )
}

describe('rankward experiment', () => {
  it('writes a page, its data and a picture', () => {
    expect(written.experiments.map(({ name }) => name)).toEqual([
      'strategies',
      'orders',
      'cho',
      'castillo',
      'rankmass',
      'patience',
      'frontiers',
      'spam',
      'freshness',
    ])
    for (const { report, files } of written.experiments) {
      expect(files.length).toBeGreaterThan(1)
      for (const file of [report, ...files]) expect(existsSync(file)).toBe(true)
    }
    expect(xmlElements(readFileSync(join(reports, 'strategies.svg'), 'utf8'))[0]).toBe('svg')
  })

  it.each([
    ['strategies', ['omniscient', 'exact-rankmass', 'ideal', 'at random']],
    [
      'cho',
      [
        'Graph 1',
        'Graph 2',
        'Graph 3',
        'Graph 4',
        'Graph 5',
        'Graph 6',
        'Graph 7',
        'Graph 10',
        'learned-topic has',
        'Claims of the paper',
        'd = 0.9',
        'P<sub>BC</sub>',
        '17,500',
        'P<sub>CS</sub>, as we do',
      ],
    ],
    [
      'castillo',
      [
        'Figure 4.3',
        'Figure 4.2',
        'Figure 4.4',
        'Figure 4.5',
        'Figure 4.6',
        'Figure 4.7',
        'Figure 4.8',
        'Figure 4.9',
        'Figure 4.10',
        'Figure 4.11',
        'Figure 4.12',
        'Figure 4.13',
        'Figure 4.14',
        'Figure 4.15',
        'Figure 4.16',
        '80% of the PageRank with 50% of the pages by the end of day 2',
        'Table 4.1',
        'Table 4.2',
        '0.6749',
        '220.1',
        'cannot come from a strictly shared link',
      ],
    ],
    [
      'rankmass',
      [
        '217,918',
        '83,638,834',
        '25:39',
        'hold at least as much as the theorem guarantees',
        'windowed-rankmass 5%',
        '“0.98%” means 0.98',
      ],
    ],
    ['frontiers', ['two-level', 'mercator', 'webbase', 'connections busy']],
    ['spam', ['trustrank', 'hijacked from any', 'hijacked from linked', 'median spam mass', 'Here trust']],
  ])('%s says what it must, and how it came to be', (name, words) => {
    const html = page(name)
    expect(words.filter((each) => !html.includes(each))).toEqual([])
    expect(html.includes('rankward experiment all --pages 400 --seed 3')).toBe(true)
    const facts = html.slice(html.indexOf('<dl>'), html.indexOf('</dl>'))
    expect(facts).toMatch(/<dt>version<\/dt><dd>Rankward \d+\.\d+\.\d+/)
    expect(facts).toMatch(/<dt>date<\/dt><dd>\d{4}-\d\d-\d\d/)
    const shown = html.replaceAll(/<script[^]*?<\/script>/g, '')
    expect(/\bundefined\b|\bNaN\b|\[object/.exec(shown)?.[0]).toBeUndefined()
    for (const svg of html.match(/<svg [^]*?<\/svg>/g) ?? []) xmlElements(svg)
  })

  it('the page has the numbers of the data', () => {
    const rows = csvRows('castillo-table-4-1.csv')
    expect(rows).toHaveLength(11)
    const html = page('castillo')
    for (const [strategy, ...numbers] of rows) {
      const cells = numbers.map((value) => `>${(value as number).toFixed(4)}</td>`)
      const line = html
        .split('<tr>')
        .find((each) => each.includes(`>${strategy}</th>`) && each.includes(cells[2]))
      for (const cell of cells) expect(line).toContain(cell)
    }
  })

  it('the bound of the levels is never above what the pages truly hold, nor is any guarantee', () => {
    const held = (file: string, series: string): [number, number][] =>
      csvRows(file)
        .filter(([name]) => name === series)
        .map(([, x, y]) => [x as number, y as number])
    for (const series of ['exact-rankmass', 'rankmass', 'l-neighbor']) {
      const truth = held('rankmass-true.csv', series)
      for (const [downloads, guaranteed] of held('rankmass-guaranteed.csv', series)) {
        const next = truth.find(([at]) => at >= downloads)!
        expect(guaranteed).toBeLessThanOrEqual(next[1] + 1e-9)
      }
    }
  })

  it.each([
    ['an unknown experiment', ['experiment', 'chow'], 2, /no experiment "chow".*Did you mean cho/],
    [
      'a graph and a size',
      ['experiment', 'cho', '--graph', 'x', '--pages', '50'],
      2,
      /leave one of them out/,
    ],
    ['URLs without a graph', ['experiment', 'cho', '--urls', 'x'], 2, /--urls belongs to a graph/],
    ['a graph that is not there', ['experiment', 'cho', '--graph', 'absent.rwg'], 1, /absent\.rwg/],
  ] as const)('%s gets one line', async (_, args, code, line) => {
    expectRefusal(await rankward(args, folder), code, line)
  })

  it('a web of two pages is enough for all of them', async () => {
    writeFileSync(join(folder, 'two.tsv'), '0\t1\n1\t0\n')
    const { stderr, exitCode } = await rankward(
      ['experiment', 'all', '--graph', 'two.tsv', '--out', 'two'],
      folder,
    )
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 })
  })

  it('a folder that cannot be made gets one line', async () => {
    writeFileSync(join(folder, 'file'), '')
    const end = await rankward(['experiment', 'strategies', '--pages', '50', '--out', 'file/inside'], folder)
    expectRefusal(end, 1, /Cannot write file\/inside/)
  })
})

describe('rankward report', () => {
  it('shows saved runs side by side, whatever their files are called', () => {
    const html = page('saved')
    const words = ['opic · runs.json', "rankmass · a &lt;b>&quot;&amp;'.json", 'Active connections']
    expect(words.filter((each) => !html.includes(each))).toEqual([])
    expect(readdirSync(reports)).toContain('saved-runs.csv')
  })

  it.each([
    ['no JSON', 'text', 'strategy,percent\n', /bad\.json cannot be reported on: it is not JSON/],
    ['another document', 'info', '{"pages":3}', /not of `rankward simulate --json`/],
  ])('%s gets one line and ends with 1', async (_, _name, text, line) => {
    writeFileSync(join(folder, 'bad.json'), text)
    expectRefusal(await rankward(['report', 'bad.json'], folder), 1, line)
  })

  it('a file that is not there gets one line and ends with 1', async () => {
    expectRefusal(await rankward(['report', 'absent.json'], folder), 1, /absent\.json/)
  })
})

describe.skipIf(withoutChromium)(`in Chromium${chromiumNote}`, () => {
  let browser: Browser

  beforeAll(async () => {
    browser = await startChromium()
  })
  afterAll(() => browser?.close())

  it.each(['strategies', 'cho', 'castillo', 'rankmass', 'frontiers', 'saved'])(
    'every plot of %s is there, nothing overflows, nothing complains',
    async (name) => {
      for (const [width, colorScheme] of [
        [390, 'dark'],
        [1440, 'light'],
      ] as const) {
        const tab = await newTab(browser, { viewport: { width, height: 900 }, colorScheme })
        const complaints: string[] = []
        tab.on('console', (message) => complaints.push(message.text()))
        tab.on('pageerror', (error) => complaints.push(error.message))
        tab.on('request', (request) => {
          if (!/^(file|data):/.test(request.url())) complaints.push(request.url())
        })
        await tab.goto(pathToFileURL(join(reports, `${name}.html`)).href)
        const figures = await tab.locator('figure').count()
        expect(figures).toBeGreaterThan(0)
        expect(await tab.locator('figure .plot > svg:visible').count()).toBe(figures)
        expect(await tab.locator('figure figcaption').count()).toBe(figures)
        expect(await tab.evaluate('document.documentElement.scrollWidth')).toBe(width)
        expect(await tab.evaluate(textsOutside)).toEqual([])
        expect(complaints).toEqual([])
        await tab.close()
      }
    },
  )

  it('pointer and arrow keys show the values of every series', async () => {
    const tab = await newTab(browser, { viewport: { width: 1440, height: 900 } })
    await tab.goto(pathToFileURL(join(reports, 'strategies.html')).href)
    const svg = tab.locator('#main svg.wide')
    const tip = tab.locator('#main .tip')
    await svg.hover({ position: { x: 300, y: 150 } })
    expect(await tip.locator('tr').count()).toBeGreaterThan(7)
    await svg.focus()
    await tab.keyboard.press('End')
    expect(await tip.innerText()).toContain('100%')
    await tab.keyboard.press('ArrowLeft')
    const opic = csvRows('strategies-main.csv').find(([series, x]) => series === 'opic' && x === 99)!
    expect(await tip.innerText()).toMatch(new RegExp(`opic\\s+${(opic[2] as number).toFixed(4)}`))
    await tab.keyboard.press('Escape')
    expect(await tip.isHidden()).toBe(true)
    await tab.close()
  })
})

/** Words that stick out of their picture. Runs in the page. */
const textsOutside = `
[...document.querySelectorAll('.plot > svg')].filter((svg) => svg.getBoundingClientRect().width > 0).flatMap((svg) => {
  const frame = svg.getBoundingClientRect()
  return [...svg.querySelectorAll('text')]
    .filter((text) => {
      const box = text.getBoundingClientRect()
      return box.left < frame.left - 1 || box.right > frame.right + 1 || box.bottom > frame.bottom + 1
    })
    .map((text) => text.textContent)
})`
