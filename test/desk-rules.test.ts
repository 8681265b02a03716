/**
 * Every rule of the desk (crawler/desk/rules.ts), on what a server sees. Each case runs a crawl under virtual time and reads the
 * server's log for offences against one rule: there are none. Then each function behind the rule is replaced, and the log of the same
 * crawl shows offences. So no rule is dead, and no kind of request goes past it.
 */
import { afterEach, describe, expect, it, vi } from 'vitest'
import { gapsBelow } from './support/access-log.ts'
import {
  at,
  everyKind,
  hosts,
  kindsOf,
  ruleCases,
  site,
  tables,
  type Name,
  type Offence,
} from './support/desk-rule-cases.ts'
import { virtualCrawl } from './support/virtual-crawl.ts'

afterEach(() => void vi.restoreAllMocks())

const kindOf = (offence: Offence): string =>
  typeof offence === 'string' ? offence : 'previous' in offence ? offence.previous.kind : offence.kind

type Table = Record<string, (...args: never[]) => unknown>

function replace(name: Name, value: unknown): void {
  const [table, rule] = name.split('.')
  vi.spyOn((tables as Record<string, Table>)[table], rule).mockReturnValue(value)
}

describe.each(ruleCases)('$rule', ({ crawl, offences, broken, has = [], offend = [] }) => {
  it('is kept', async () => {
    const log = await virtualCrawl(crawl())
    expect(log.length).toBeGreaterThan(0)
    expect([...kindsOf(log)]).toEqual(expect.arrayContaining([...has]))
    expect(offences(log)).toEqual([])
  })

  const replaced = Object.entries(broken).flatMap(([name, values]) =>
    values.map((value) => [name as Name, value] as const),
  )
  it.each(replaced)('is missed if %s is always %s', async (name, value) => {
    replace(name, value)
    const found = offences(await virtualCrawl(crawl()))
    expect(found.length).toBeGreaterThan(0)
    expect(found.map(kindOf)).toEqual(expect.arrayContaining([...offend]))
  })
})

describe('a crawl', () => {
  it('leaves a host of the user alone after the Retry-After of a sitemap, a feed or a requisite', async () => {
    const busy = new Set(['/sitemap.xml', '/i.png', '/feed'])
    const log = await virtualCrawl(
      everyKind(
        (request) => (busy.delete(request.path) ? { status: 503, retryAfter: 90 } : site(request)),
        [hosts[0]],
        { own: [hosts[0]], connectionsPerSite: 3 },
      ),
    )
    const refused = log.filter(({ retryAfter }) => retryAfter !== undefined)
    expect(refused).toHaveLength(3)
    for (const { endMs } of refused)
      expect(log.filter(({ startMs: ms }) => ms > endMs && ms < endMs + 90_000)).toEqual([])
  })

  it.each([true, false])(
    'ends although the robots.txt of two hosts redirect to each other',
    async (visitsSitemaps) => {
      const log = await virtualCrawl(
        everyKind(
          (request) => {
            const { kind, site: name } = request
            const other = name === hosts[0] ? hosts[1] : hosts[0]
            return kind === 'robots' ? { status: 301, location: `http://${other}/robots.txt` } : site(request)
          },
          hosts.slice(0, 2),
          { visitsSitemaps },
        ),
      )
      expect(gapsBelow(log, 1)).toEqual([])
      expect(kindsOf(log)).toContain('page')
    },
  )

  it('reads the feed of another host whose robots.txt redirects within that host', async () => {
    const log = await virtualCrawl(
      everyKind(
        (request) => {
          if (request.path === '/robots.txt' && request.site === hosts[1])
            return { status: 301, location: `http://${hosts[1]}/robots` }
          return request.kind === 'page' ? { feeds: at(`http://${hosts[1]}`, '/feed') } : {}
        },
        [hosts[0]],
      ),
    )
    expect(log.map(({ site: name, path }) => name + path)).toContain(`${hosts[1]}/feed`)
  })

  it('keeps the gap of a host to which the robots.txt of hosts of the user redirect', async () => {
    const own = ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4']
    const log = await virtualCrawl(
      everyKind(
        (request) =>
          request.kind === 'robots' && own.includes(request.site)
            ? { status: 301, location: 'http://192.0.2.9/robots.txt' }
            : site(request),
        own,
        { own },
      ),
    )
    const others = log.filter((access) => access.site === '192.0.2.9')
    expect(others.length).toBeGreaterThanOrEqual(own.length)
    expect(gapsBelow(others, 1)).toEqual([])
  })
})

it('is checked for every rule', () => {
  const all = Object.entries(tables).flatMap(([table, each]) =>
    Object.keys(each).map((rule) => `${table}.${rule}`),
  )
  expect(ruleCases.flatMap(({ broken }) => Object.keys(broken)).toSorted()).toEqual(
    expect.arrayContaining(all),
  )
})
