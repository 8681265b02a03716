import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { optionChecks } from '../../simulator/options/simulate-options.ts'
import { checkOptions } from '../../lib/option-checks.ts'
import { checkContradictions, checkDependent, typedOptions, withTable } from '../table-options.ts'
import { simulateTable, type SimulateCliOptions } from './options.ts'

const { options } = simulateTable

function typed(...args: string[]): SimulateCliOptions {
  const command = withTable(new Command('simulate'), simulateTable)
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
  command.parse(args, { from: 'user' })
  return typedOptions(command, simulateTable)
}

/** For each option: what is typed, and what it means. */
const table: Required<{ [Name in keyof SimulateCliOptions]: [typed: string[], meaning: unknown] }> = {
  strategy: [
    ['--strategy', 'opic, random'],
    ['opic', 'random'],
  ],
  damping: [['--damping', '0.5'], 0.5],
  every: [['--every', '10'], 10],
  window: [['--set', 'window=50%'], 50],
  historicalScores: [['--historical-scores', 'h.tsv'], 'h.tsv'],
  opicInitial: [['--set', 'opicInitial=seeds'], 'seeds'],
  tolerance: [['--set', 'tolerance=1e-6'], 1e-6],
  demoteSpam: [['--demote-spam', '90%'], 0.9],
  seed: [['--seed', '7'], 7],
  seeds: [
    ['--seeds', '0, 17'],
    [0, 17],
  ],
  seedsFile: [['--seeds-file', 's.txt'], 's.txt'],
  trust: [['--trust', 't.tsv'], 't.tsv'],
  wholeWeb: [['--whole-web'], true],
  sitesFile: [['--sites-file', 's.tsv'], 's.tsv'],
  urls: [['--urls', 'u.txt'], 'u.txt'],
  keepSelf: [['--keep-self'], true],
  keepRepeats: [['--keep-repeats'], true],
  cache: [['--no-cache'], false],
  coverage: [['--coverage', '98%'], 0.98],
  pages: [['--pages', '1_000'], 1000],
  failures: [['--failures', '5'], 5],
  traps: [['--traps'], true],
  hot: [
    ['--hot', 'top 1%', '--hot', 'backlinks>=2'],
    ['top 1%', 'backlinks>=2'],
  ],
  pagesContent: [['--pages-content', 'p.jsonl'], 'p.jsonl'],
  buffer: [['--buffer', '10%'], { percent: 10 }],
  bufferEstimate: [['--set', 'bufferEstimate=truth'], 'truth'],
  topic: [['--topic', 'solar energy'], 'solar energy'],
  topicHot: [['--topic-hot', 'title:sun'], 'title:sun'],
  likeness: [['--set', 'likeness=inner'], 'inner'],
  titleWeight: [['--set', 'titleWeight=2'], 2],
  language: [['--language', 'en'], 'en'],
  idf: [['--idf', 'i.tsv'], 'i.tsv'],
  scorer: [['--scorer', './s.ts'], './s.ts'],
  scorerTime: [['--set', 'scorerTime=2s'], 2],
  frontier: [['--frontier', 'mercator'], 'mercator'],
  frontQueues: [['--set', 'frontQueues=4'], 4],
  backQueues: [['--set', 'backQueues=9'], 9],
  bias: [['--set', 'bias=0'], 0],
  queues: [['--set', 'queues=50'], 50],
  connections: [['--connections', '8'], 8],
  wait: [['--wait', '1.5'], 1.5],
  waitFactor: [['--wait-factor', '10'], 10],
  smallSiteWait: [['--set', 'smallSiteWait=true'], 15],
  perConnection: [['--per-connection', '5'], 5],
  bandwidth: [['--bandwidth', '1e6'], 1e6],
  latencyPerPage: [['--set', 'latencyPerPage=true'], true],
  hold: [['--set', 'hold=true'], true],
  robotsTxt: [['--robots-txt'], true],
  failureRate: [['--failure-rate', '1'], 1],
  slowRate: [['--set', 'slowRate=0.1'], 0.1],
  slowFactor: [['--set', 'slowFactor=3'], 3],
  patience: [
    ['--patience', '0,0.5'],
    [0, 0.5],
  ],
  pageBytes: [['--page-bytes', 'b.tsv'], 'b.tsv'],
  crawlDelays: [['--set', 'crawlDelays=d.tsv'], 'd.tsv'],
  siteNet: [['--set', 'siteNet=n.tsv'], 'n.tsv'],
  batch: [['--batch', '100'], 100],
  batchEndBelow: [['--set', 'batchEndBelow=2'], 2],
  batchOverlap: [['--set', 'batchOverlap=true'], true],
  speedUp: [['--speed-up'], true],
  completions: [['--completions', 'c.tsv'], 'c.tsv'],
  shards: [['--shards', '4'], 4],
  workers: [['--workers', '2'], 2],
  faults: [['--faults', 'kills=0.01, links-losses=0.1'], { kills: 0.01, linksLosses: 0.1 }],
  workerSpeed: [['--set', 'workerSpeed=50'], 50],
  cutEvery: [['--set', 'cutEvery=0.5'], 0.5],
  recrawlPolicy: [
    ['--recrawl-policy', 'greedy,mass'],
    ['greedy', 'mass'],
  ],
  rate: [['--rate', '50/h'], 1200],
  round: [['--round', '30'], 30],
  days: [['--days', '90'], 90],
  from: [['--from', '0'], 0],
  horizon: [['--set', 'horizon=10'], 10],
  prior: [['--set', 'prior=1,15'], { a: 1, b: 15 }],
  knownRates: [['--set', 'knownRates=true'], true],
  siteClock: [['--set', 'siteClock=false'], false],
  sitePrior: [['--set', 'sitePrior=true'], true],
  massPrior: [['--set', 'massPrior=false'], false],
  estimator: [['--set', 'estimator=bayes'], 'bayes'],
  adaptive: [['--set', 'adaptive=nutch'], 'nutch'],
  rest: [['--rest', '2h'], 7200],
  refreshShare: [['--set', 'refreshShare=0.5'], 0.5],
  cost: [['--cost', 'bytes'], 'bytes'],
  changeRates: [['--change-rates', 'r.tsv'], 'r.tsv'],
  changes: [['--changes', 'recorded'], 'recorded'],
  change: [['--change', 'text'], 'text'],
  fetches: [['--fetches', 'f.tsv'], 'f.tsv'],
  order: [['--order', 'o.txt'], 'o.txt'],
  scores: [['--scores'], true],
  csv: [['--csv', 'c.csv'], 'c.csv'],
  overwrite: [['--overwrite'], true],
  rawCells: [['--raw-cells'], true],
  repeat: [['--repeat', '3'], 3],
  threads: [['--threads', '2'], 2],
  json: [['--json'], true],
  progress: [['--no-progress'], false],
}

describe('the options of simulate', () => {
  it.each(Object.entries(table))('%s means the same under its flag and by --set', (name, [args, meaning]) => {
    expect(typed(...args)).toEqual({ [name]: meaning })
    const [flag, text] = args
    if (flag !== '--set' && args.length === 2)
      expect(typed('--set', `${name}=${text}`)).toEqual({ [name]: meaning })
  })

  it('are all in the table above', () => {
    expect(Object.keys(table).toSorted()).toEqual([...options.keys()].toSorted())
    expect(typed()).toEqual({})
  })

  it('reach the library under its names, which accepts them', () => {
    const all = Object.fromEntries(Object.entries(table).map(([name, [, meaning]]) => [name, meaning]))
    const values = simulateTable.libraryValues(all)
    expect(() => checkOptions('simulate', values, optionChecks)).not.toThrow()
    expect(values).toMatchObject({
      strategies: ['opic', 'random'],
      batchSize: 100,
      recrawl: ['greedy', 'mass'],
      siteClock: false,
      patience: [0, 0.5],
      cluster: { shards: 4, speed: 50, cutSeconds: 0.5 },
      time: { wait: 1.5, smallSiteWait: 15 },
    })
    // Files are read first; seeds are ids of the stored web.
    const read = ['history', 'trust', 'pageBytes', 'crawlDelays', 'changeRates', 'changes', 'seeds']
    expect(read.filter((name) => name in values)).toEqual([])
    expect(simulateTable.libraryValues({})).toEqual({})
  })

  it.each([
    [['--seeds', '1', '--seeds-file', 's'], '--seeds-file and --seeds'],
    [['--rate', '1', '--round', '2'], '--round and --rate'],
    [['--changes', 'a', '--change-rates', 'b'], '--changes and --change-rates'],
    [['--patience', '1', '--batch', '5'], '--patience and --batch'],
  ])('%j contradict each other', (args, named) => {
    expect(() => checkContradictions(simulateTable, typed(...args))).toThrow(named)
  })

  it.each([
    [['--scores'], '--scores needs --order.'],
    [['--set', 'slowFactor=3'], '--set slowFactor needs --set slowRate.'],
    [['--set', 'siteClock=false'], '--set siteClock needs --recrawl-policy.'],
    [['--set', 'queues=3'], '--set queues needs --frontier webbase.'],
    [['--set', 'queues=3', '--frontier', 'mercator'], '--set queues needs --frontier webbase.'],
    [['--workers', '3'], '--workers needs --shards.'],
  ])('%j need another one', (args, message) => {
    expect(() => checkDependent(simulateTable, typed(...args))).toThrow(message)
  })

  it('that have what they need are accepted', () => {
    const args = ['--set', 'queues=3', '--frontier', 'webbase', '--scores', '--order', 'o', '--traps']
    expect(() => checkDependent(simulateTable, typed(...args, '--patience', '1'))).not.toThrow()
  })

  it('are all explained in docs/guide/simulate.md, with their names in the library where those differ', () => {
    const page = readFileSync(new URL('../../../docs/guide/simulate.md', import.meta.url), 'utf8')
    const shown = [...options.keys()].map((name) => simulateTable.shown(name))
    const row = (text: string): RegExp => new RegExp(`^\\| .*${text}\\b(?!-)`, 'm')
    expect(shown.filter((option) => !row(option).test(page))).toEqual([])
    const renamed = [...options].filter(([name, { library = name }]) => library !== name)
    expect(renamed.length).toBeGreaterThan(5)
    expect(renamed.filter(([, { library }]) => !page.includes(`\`${library}\``))).toEqual([])
  })
})
