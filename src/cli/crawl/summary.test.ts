import { describe, expect, it } from 'vitest'
import type { CrawlTotals } from '../../crawler/options/crawl-options.ts'
import { omissionsOf } from '../../crawler/options/omissions.ts'
import { nothingFetched, outOfReachText } from './run.ts'
import { summaryText } from './summary.ts'
import { shellWord } from './words.ts'
import { endedText } from '../resume.ts'

const totals: CrawlTotals = {
  pages: 2000,
  responded: 2005,
  redirects: 4,
  known: 12_345,
  bytes: 54_321_000,
  coverage: {
    guaranteed: 0.93169,
    robots: 0.0212,
    scope: 0,
    failed: 0.0003,
    budget: 0.04681,
    obtainable: 0.9785,
    share: 0.9521614,
    left: 0.0297,
  },
  headline: '95.2% of the obtainable importance is certain: and so on.',
  isComplete: false,
  temporary: 0,
  outage: { sites: 0, pages: 0 },
  stoppedBecause: 'pages',
  errors: { 'no-address': 4, timeout: 8 },
  seconds: 100,
  peakRssBytes: 1e8,
  strategy: 'exact-rankmass',
  sites: 40,
  links: 98_765,
  duplicates: 31,
  nearDuplicates: 0,
  refusedByRobots: 12,
  ...omissionsOf([]),
  linksOutOfScope: 1204,
  failed: 1,
  unreachable: 4,
  refusedByLimits: 3,
  waiting: 321,
  outOfOrder: 0,
  folder: 'my crawl',
  warcFiles: ['rankward-0-00000.warc.gz', 'rankward-1-00000.warc.gz'],
}

describe('the summary', () => {
  it('of a crawl that used its budget', () => {
    expect(summaryText(totals)).toBe(
      `95.2% of the obtainable importance is certain: and so on.

  held          ██████████████████████▍   93.1%  2,000 pages
  robots.txt    ▌                          2.1%  12 pages disallowed
  out of scope                             0.0%  1,204 links, not counted (3.0% if they were)
  failed                                  <0.1%  1 page
  not fetched   █▏                         4.7%  321 pages wait for a larger budget, 4 unreachable, 3 over a limit

Coverage is the held share of the obtainable importance, which excludes robots.txt and failed: 93.1% of 97.9%.

Stopped at the page budget (--pages).
2,000 pages of 12,345 known, on 40 sites, with 98,765 links.
Besides these: 4 redirects, 1 failed, 4 unreachable, 12 disallowed by robots.txt, 3 over a limit.
54.3 MB in 1:40 min, 20 pages per second.
31 duplicates; 12 errors: timeout 8, no-address 4.
Every page was the best one waiting that politeness and trap detection allowed when it was requested.

WARC     my crawl/warc, 2 files
Record   my crawl/record
Next     rankward resume 'my crawl' --pages 4000
         rankward report 'my crawl'
         rankward export 'my crawl'
         rankward search 'my crawl' WORDS
         rankward explain 'my crawl' URL`,
    )
  })

  it('of a crawl that ended with unreachable sites begins with them and says how to continue', () => {
    const lost = { stoppedBecause: 'unreachable', outage: { sites: 3, pages: 41 }, waiting: 40 } as const
    const text = summaryText({ ...totals, ...lost, temporary: 1 })
    expect(text.split('\n')[0]).toBe(
      'Stopped: 3 sites could not be reached, with 41 pages not fetched; `rankward resume` tries them again.',
    )
    expect(text).toContain('40 pages out of reach')
    expect(text).toContain('1 failed for a temporary reason')
    expect(text).toContain("Next     rankward resume 'my crawl'\n")
    expect(text).not.toContain('Finished')
  })

  it('of a finished crawl names a resume where pages failed for a temporary reason', () => {
    const finished = { ...totals, stoppedBecause: 'finished', waiting: 0 } as const
    expect(summaryText(finished)).not.toContain('rankward resume')
    expect(summaryText({ ...finished, temporary: 2 })).toContain("Next     rankward resume 'my crawl'\n")
    expect(endedText('my crawl', finished, {})).toContain('finished')
    expect(endedText('my crawl', { ...finished, temporary: 2 }, {})).toBeUndefined()
    expect(endedText('my crawl', { ...finished, pages: 0, temporary: 1 }, {})).toBeUndefined()
  })

  it('of a crawl that looked for something', () => {
    expect(summaryText({ ...totals, hot: 500 })).toContain(
      '\nFound: 500 hot pages (25% of the pages fetched).\n',
    )
    expect(summaryText({ ...totals, hot: 1, scorerFailures: 2 })).toContain(
      '\nFound: 1 hot page (<0.1% of the pages fetched); the scorer returned no number for 2 pages.\n',
    )
    expect(summaryText(totals)).not.toContain('hot')
  })

  it('of a crawl that fetched all there is', () => {
    const all: CrawlTotals = {
      ...totals,
      pages: 1,
      known: 1,
      bytes: 812,
      coverage: {
        guaranteed: 1,
        robots: 0,
        scope: 0,
        failed: 0,
        budget: 0,
        obtainable: 1,
        share: 1,
        left: 0,
      },
      headline: 'The only page in scope fetched.',
      isComplete: true,
      stoppedBecause: 'finished',
      errors: {},
      seconds: 0.25,
      sites: 1,
      links: 0,
      duplicates: 0,
      nearDuplicates: 0,
      refusedByRobots: 0,
      linksOutOfScope: 0,
      failed: 0,
      redirects: 0,
      unreachable: 0,
      refusedByLimits: 0,
      waiting: 0,
      outOfOrder: 0.0123,
      folder: undefined,
      warcFiles: [],
    }
    expect(summaryText(all)).toBe(
      `The only page in scope fetched.

  held          ████████████████████████   100%  1 page
  robots.txt                               0.0%  0 pages disallowed
  out of scope                             0.0%  0 links
  failed                                   0.0%  0 pages
  not fetched                              0.0%

Finished: no page is left to fetch.
1 page of 1 known, on 1 site, with 0 links.
812 bytes in 250 ms, 4 pages per second.
No duplicates; no errors.
1.2% of the requests were not for the best page waiting that politeness and trap detection allowed.`,
    )
  })

  it('names pages that failed for a reason that may pass as not fetched', () => {
    const text = summaryText({ ...totals, stoppedBecause: 'finished', waiting: 0, failed: 1, temporary: 2 })
    expect(text).toMatch(/failed .* 1 page\n/)
    expect(text).toMatch(/not fetched .*  2 pages failed for now, 4 unreachable, 3 over a limit\n/)
  })

  it.each([
    ['interrupted', /Interrupted: .*\n[\s\S]*Next {5}rankward resume 'my crawl'\n/],
    ['time', /time limit \(--time\)[\s\S]*resume 'my crawl' --time 200\n/],
    ['bytes', /byte budget[\s\S]*resume 'my crawl' --bytes 110000000\n/],
    ['coverage', /coverage goal[\s\S]*resume 'my crawl' --coverage 0\.98\n/],
    ['finished', /no page is left[\s\S]*Next {5}rankward report/],
  ] as const)('of a crawl that stopped for %s names what comes next', (stoppedBecause, text) => {
    expect(summaryText({ ...totals, stoppedBecause })).toMatch(text)
  })
})

describe('resume of a crawl that has ended', () => {
  it('says which option would let it continue', () => {
    expect(endedText('dir', totals, { pages: 2000 })).toBe(
      'This crawl has used its budget: 2,000 pages. To continue: rankward resume dir --pages 4000',
    )
    expect(endedText('dir', totals, { seconds: 60 })).toMatch(
      /: 1:40 min\. To continue: rankward resume dir --time 200$/,
    )
    expect(endedText('dir', totals, { coverage: 0.9 })).toMatch(/: 95\.2% certain\. .* --coverage 0\.98$/)
    expect(endedText('dir', totals, { bytes: 1 })).toMatch(/: 54\.3 MB\. .* --bytes 110000000$/)
    expect(endedText('dir', { ...totals, stoppedBecause: 'finished' }, {})).toMatch(
      /^This crawl is finished: /,
    )
  })

  it('does not advise a wider scope where private addresses were refused', () => {
    const none = { ...totals, pages: 0, stoppedBecause: 'finished' as const }
    const refused = endedText('dir', { ...none, errors: { 'private-address': 1 } }, {})
    expect(refused).toMatch(/private-address 1\. .*--allow-private/)
    expect(refused).not.toContain('scope')
  })

  it('continues if some of the budget is left', () => {
    expect(endedText('dir', totals, { pages: 2001, coverage: 0.96 })).toBeUndefined()
    expect(endedText('dir', { ...totals, stoppedBecause: 'interrupted' }, {})).toBeUndefined()
    const failed = { ...totals, failed: 20_000, stoppedBecause: 'failures' as const }
    expect(endedText('dir', failed, { pages: 2001 })).toBeUndefined()
    expect(summaryText({ ...failed, failed: 4, temporary: 6 })).toContain("resume 'my crawl' --failures 20\n")
    expect(endedText('dir', failed, { pages: 2001, failures: 20_000 })).toMatch(
      /used its budget: 20,000 failed requests\. To continue: rankward resume dir --failures 40000$/,
    )
  })

  it('refuses a new budget that is used up already', () => {
    expect(() => endedText('dir', totals, { pages: 100 }, { pages: 100 })).toThrow(
      'This crawl has 2,000 pages already, and --pages counts from its beginning',
    )
  })
})

it('a goal out of reach is one line, with what can be reached', () => {
  expect(outOfReachText({ coverage: 0.95, reach: 0.7166 })).toBe(
    'A coverage of 95% can no longer be reached: limits such as --max-pages-per-site exclude too much. At most 71.6% can; the crawl continues.',
  )
})

describe('a crawl without a page', () => {
  const nothing = { errors: {}, refusedByRobots: 0, folder: 'dir' }
  it.each([
    ['no-address', /https:\/\/a\.org\/: no-address\. Does the host exist\?/],
    ['private-address', /--allow-private/],
    ['tls', /--insecure/],
    ['connect-refused', /Is a server running there\?/],
    ['timeout', /--limit-time/],
    ['robots-tls', /--insecure/],
    ['http-404', /check the URL/],
    ['something-new', /https:\/\/a\.org\/: something-new\.$/],
  ])('that failed with %s says what to do', (error, line) => {
    const { message, exitCode } = nothingFetched(
      { ...nothing, errors: { [error]: 1 } },
      { url: 'https://a.org/', error },
    )
    expect(message).toMatch(line)
    expect(exitCode).toBe(1)
  })

  it('says when robots.txt is the reason', () => {
    expect(nothingFetched({ ...nothing, refusedByRobots: 1 }, undefined).message).toMatch(
      /robots\.txt of the seeds' sites does not allow them/,
    )
    expect(nothingFetched(nothing, undefined).message).toMatch(/--dry-run/)
  })
})

describe('a text', () => {
  it('with a path can be pasted into a shell', () => {
    expect(shellWord('a/b-1.2')).toBe('a/b-1.2')
    expect(shellWord("it's")).toBe("'it'\\''s'")
  })
})
