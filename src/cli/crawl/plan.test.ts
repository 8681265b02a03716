import { describe, expect, it } from 'vitest'
import { settingsOf } from '../../crawler/options/crawl-settings.ts'
import type { CrawlOptions } from '../../crawler/options/crawl-options.ts'
import { planJson, planText, politenessWords, scopeWords } from './plan.ts'

const settings = (options: Partial<CrawlOptions> = {}) =>
  settingsOf({ seeds: ['https://www.example.org/a/b?c'], out: 'crawl', threads: 2, ...options })

describe('the plan of a dry run', () => {
  it('says in words and numbers what would be done', () => {
    const text = planText({ settings: settings({ contact: 'me@example.org', pages: 1000 }), out: 'crawl' })
    expect(text.replace(/Rankward\/[\d.]+/, 'Rankward/1')).toBe(
      `Starts from  https://www.example.org/a/b?c
Follows      links to www.example.org, http and https
Stops        after 1,000 pages with content
             after 10,000 failed requests
             or when no page is left
Order        exact-rankmass, damping 0.85, frontier two-level
             takes a page only if it is worth at least 3% of the best page that waits for its site
Politeness   one connection to a site at a time, 64 connections in all
             at most 1 page per second per site; fewer where robots.txt sets a longer crawl delay
             waits at least as long as the site's last response took
             at most 2 connections per second to an address that sites share
             robots.txt, robots meta elements and nofollow are obeyed
Requests     as Rankward/1 (+mailto:me@example.org)
             HTTP/1.1 and HTTP/2; bodies up to 10 MB, 30 s per request, 3 attempts
             public addresses only
Keeps        crawl
             the record and WARC files of 1 GB, gzip level 1; 2 fetch threads

A dry run: nothing was fetched, nothing was written.`,
    )
  })

  it.each([
    ['host', 'links to www.example.org, http and https'],
    ['domain', 'links to any host under example.org'],
    ['prefix', 'links to URLs under www.example.org/a/'],
    ['any', 'links to anywhere'],
  ] as const)('has the scope %s in words', (scope, words) => {
    expect(scopeWords(settings({ scope }))).toEqual([words])
  })

  it('names patterns and limits', () => {
    const limited = settings({
      include: ['/a/**'],
      exclude: ['*.pdf', '/x'],
      maxDepth: 1,
      maxPagesPerSite: 50,
    })
    expect(scopeWords(limited).slice(1)).toEqual([
      'only URLs that match /a/**',
      'no URLs that match *.pdf or /x',
      'at most 1 link from a seed',
      'at most 50 pages of a host',
    ])
  })

  it.each([
    [{ wait: 15 }, 'at most 1 page every 15 seconds per site'],
    [{ wait: 0.5 }, 'at most 2 pages per second per site'],
    [
      { wait: 10, perConnection: 5 },
      'at most 1 page every 2 seconds per site, up to 5 of them without a wait',
    ],
    [{ wait: 0 }, 'no wait between two pages of a site; a wait where robots.txt sets a crawl delay'],
    [{ wait: 1 }, 'at most 1 page per second per site; fewer where robots.txt sets a longer crawl delay'],
  ])('says what %j means for a site', (options, words) => {
    expect(politenessWords(settings(options))[1]).toContain(words)
  })

  it('emphasises rules that are not obeyed', () => {
    const rude = politenessWords(settings({ robotsTxt: false, obeyNofollow: false }))
    expect(rude.at(-1)).toBe('robots.txt, nofollow and robots meta elements: NOT obeyed')
    expect(rude[1]).not.toContain('robots.txt')
  })

  it('does not show a password', () => {
    const text = planText({ settings: settings({ proxy: 'http://me:secret@p:3128' }), out: 'crawl' })
    expect(text).toContain('through the proxy http://…@p:3128')
    expect(text).not.toContain('secret')
  })

  it('has the same as JSON', () => {
    const trust = new Map([['https://www.example.org/a/b?c', 2]])
    expect(planJson({ settings: settings(), out: 'crawl', trust })).toMatchObject({
      dryRun: true,
      out: 'crawl',
      options: { seeds: ['https://www.example.org/a/b?c'], strategy: 'exact-rankmass', connections: 64 },
      trust: { 'https://www.example.org/a/b?c': 2 },
      scope: ['links to www.example.org, http and https'],
    })
  })
})
