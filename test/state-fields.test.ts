/**
 * Every mutable field of a class that transfers its state is named in `transfer`, or in this list of those that are not part of the
 * state. A new field that is in neither would be lost in a snapshot.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const src = join(import.meta.dirname, '..', 'src')

/** Derived from the rest, or without meaning between two facts. */
const left: Record<string, readonly string[]> = {
  // The end, after which nothing is saved; and what the strategy determines.
  'engine/engine.ts': ['#connection', '#ended', '#stopReason'],
  // The note of a dispatch under way.
  'engine/moments.ts': ['#isNoted', '#isLook'],
  // Computed again for the next group.
  'cluster/protocol/shard-rate.ts': ['due'],
  // Scratch memory.
  'engine/exchange.ts': ['#pages', '#amounts', '#foundMs'],
  // Empty between two facts.
  'engine/found-order.ts': ['#next'],
  // Transferred by the exchange, where there is one; rebuilt from counts, roots and rests.
  'engine/waiting-pages.ts': ['away', '#sites'],
  // Scratch memory; facts that are not in a group yet; recomputed by the next cut.
  'cluster/protocol/shard.ts': [
    '#facts',
    '#emptyBytes',
    '#isUnsettled',
    'isStalled',
    '#pages',
    '#amounts',
    '#newSites',
    '#foundMs',
  ],
  // Computed again from the URLs.
  'cluster/crawl/shard-names.ts': ['#owners'],
  // Of the last choice, which a replay may not make.
  'engine/recrawl.ts': ['#now'],
  'engine/recrawl/going-price.ts': ['taken'],
  'engine/recrawl/due-keys.ts': ['#services'],
  // Keys and calendar follow from the rest and the time (`enter`).
  'engine/recrawl/policies/greedy.ts': ['#services', '#keys'],
  // The list last looked at.
  'engine/known-links.ts': ['targets', 'start', 'end'],
  // Rebuilt from counts, roots and rests; told again by patience; and when it was last looked at.
  'engine/frontiers/two-level.ts': ['#freeProven', '#freeUnproven', '#resting', '#holdsUp', '#shut', '#now'],
  'engine/frontiers/webbase.ts': ['#sites', '#roots', '#freeProven', '#freeUnproven', '#resting', '#now'],
  'engine/frontiers/mercator.ts': ['#dueProven', '#dueUnproven', '#now'],
  // Scratch memory.
  'engine/frontiers/front-queues.ts': ['#sorted'],
  'engine/strategies/spam-demotion.ts': ['#next'],
  // Scratch memory.
  'web/traps/page-views.ts': ['#words'],
  // Placed again from the fingerprints.
  'lib/fingerprint-table.ts': ['#slots'],
  // Empty between two facts; follows from the link counts.
  'engine/mass/crumbs.ts': ['#changed', '#kinds'],
  // Between the old links of a page and the new ones; a count for benchmarks.
  'engine/mass/changed-links.ts': ['#oldTargets', '#linksRead'],
  // Scratch memory; a count for benchmarks.
  'engine/mass/stays.ts': ['#change', 'linksRead'],
  // Transferred by the mass, if some may be negative.
  'engine/mass/losses.ts': ['awayOwed'],
  'engine/strategies/page-queue.ts': ['#ring', '#from', '#queued'],
  'engine/strategies/hot-expectation.ts': ['#measures', '#services'],
  'engine/strategies/learned-topic.ts': ['#measures'],
  // Stays are transferred by the changed links.
  'engine/strategies/mass.ts': ['#services', 'stays'],
  // The sets follow from the crawled pages; a page that is due without need is only visited.
  'engine/strategies/known-pagerank.ts': ['#services', '#isCrawled', '#isDue'],
  // Of the page visited last.
  'engine/strategies/corrected-pagerank.ts': ['#services', '#parentSite', '#share', '#weights'],
  'engine/strategies/directory-coverage.ts': ['#services', '#parent', '#weights'],
  'web/traps/kind-accounts.ts': ['#words'],
  'web/traps/numbering.ts': ['#words'],
  // By `#sums`.
  'web/traps/fresh-text.ts': ['#pairs', '#fresh', '#led', '#links', '#newLinks', '#onward', '#shares'],
  'web/traps/parameter-lessons.ts': ['#words'],
  // Scratch memory, what the record has of the pages last read, and who is told of new pages.
  'crawler/world/page-table.ts': ['#words', '#recent', '#recentPages', '#onFound'],
  // Rebuilt from the sources.
  'crawler/parts/sources/source-schedule.ts': ['#numbers', '#counts', '#heap'],
  // Rebuilt from the requisites that wait.
  'crawler/parts/requisites/requisite-queue.ts': ['#words', '#hosts', '#hostNumbers'],
  // Of the page last found.
  'web/near/near-index.ts': ['similarity'],
  // Counted again by a resume, or learnt anew.
  'crawler/world/site-table.ts': [
    '#numberOfKey',
    '#first',
    '#isOwn',
    '#words',
    'hosts',
    '#freeAt',
    '#asked',
    '#waiting',
    '#waitingChannels',
    '#failures',
    '#known',
    'withWaiting',
    'hostsWithWaiting',
    'missingWithWaiting',
    'anyReached',
  ],
}

const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !/\.(test|cases)\.ts$/.test(file))
  .filter((file) => !/^lib\/(state|random)/.test(file))
  .map((file) => ({ file, text: readFileSync(join(src, file), 'utf8') }))
  .filter(({ text }) => /\n {2}transfer\(state: StateCodec/.test(text))

/** Fields that may change: not readonly, or an object or array that is filled. */
function fieldsOf(text: string): string[] {
  const classes = [...text.matchAll(/^(?:export )?class [^\n]*\{\n[^]*?^\}/gm)]
    .map(([body]) => body)
    .join('\n')
  const fields = /^ {2}(readonly )?(#?\w+)(?:: [^=(\n]+)?(?: = (new |\[).*)?(?: = .*)?$/gm
  return [...classes.matchAll(fields)]
    .filter(([, isReadonly, , isNew]) => isReadonly === undefined || isNew !== undefined)
    .map(([, , name]) => name)
}

function transferOf(text: string): string {
  return [...text.matchAll(/^ {2}#?transfer\w*\(state: StateCodec[^)]*\): void \{\n(?:.*\n)*? {2}\}$/gm)]
    .map(([body]) => body)
    .join('\n')
}

it.each(files)('$file names every field that may change', ({ file, text }) => {
  const body = transferOf(text)
  const fields = fieldsOf(text)
  const missing = fields.filter((name) => !new RegExp(`this\\.${name}\\b`).test(body))
  expect(missing.filter((name) => !(left[file] ?? []).includes(name))).toEqual([])
})

it('the parts of an engine and of a crawl are all looked at', () => {
  expect(files.length).toBeGreaterThan(20)
  expect(Object.keys(left).filter((file) => !files.some((other) => other.file === file))).toEqual([])
  expect(files.flatMap(({ text }) => fieldsOf(text)).length).toBeGreaterThan(100)
})
