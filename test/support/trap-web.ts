/**
 * A web of honest sites and of traps, on loopback: each a host of its own. A trap is a function from path and query to a
 * page; there is no end to any of them. The seed links to every host's front page.
 */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { closeAll } from '../../src/webgraph/served/listening.ts'

/** What a page shows, and where its links lead: paths, or URLs. */
interface TrapPage {
  readonly text: string
  readonly links: readonly string[]
  readonly location?: string
}

export type Site = (path: string, query: URLSearchParams) => TrapPage | undefined

const words = 'river stone lamp garden winter copper violet harbour meadow candle forest mirror'.split(' ')

/**
 * Real text keeps bringing new pairs of words, so that a paragraph needs many words. Few are as frequent as the first.
 */
const vocabulary = Array.from({ length: 4000 }, (_, i) =>
  [i % words.length, i % 20, Math.floor(i / 20) % 20, Math.floor(i / 400)]
    .map((at) => 'bcdfghjklmnpqrstvwxz'[at])
    .join('a'),
)

/** A paragraph that depends on the key alone. */
export function prose(key: string, length = 40): string {
  let state = 7
  for (const char of key) state = (Math.imul(state, 31) + char.charCodeAt(0)) >>> 0
  const text: string[] = []
  for (let i = 0; i < length; i++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    const frequent = (state >>> 16) % 4000
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    text.push(vocabulary[Math.min(frequent, (state >>> 16) % 4000)])
  }
  return text.join(' ')
}

/** Sections with lists in parts, articles that refer to one another, and leaves. */
export function honestSite(name: string, articles: number): Site {
  const perPart = 10
  const parts = Math.ceil(articles / perPart)
  const article = (i: number): string => `/articles/${i}.html`
  return (path, query) => {
    if (path === '/') return { text: prose(name), links: ['/list?part=1', '/about', article(0)] }
    if (path === '/about') return { text: prose(`${name} about`), links: ['/', '/list?part=1'] }
    const part = Number(query.get('part'))
    if (path === '/list' && part >= 1 && part <= parts) {
      const listed = Array.from({ length: perPart }, (_, i) => (part - 1) * perPart + i)
      const next = part < parts ? [`/list?part=${part + 1}`] : []
      return {
        text: prose(`${name} list ${part}`),
        links: [...listed.filter((i) => i < articles).map(article), ...next, '/'],
      }
    }
    const [, number] = /^\/articles\/(\d+)\.html$/.exec(path) ?? []
    if (number === undefined || Number(number) >= articles) return undefined
    const i = Number(number)
    // Some lead nowhere.
    const related = i % 3 === 0 ? [] : [article((i * 7 + 1) % articles), article((i * 3 + 2) % articles), '/']
    return { text: prose(`${name} article ${i}`, 80), links: related }
  }
}

/** Pages of an honest site, its front page included. */
export function honestPages(articles: number): number {
  return 2 + Math.ceil(articles / 10) + articles
}

export const traps: Readonly<Record<string, Site>> = {
  calendar(path, query) {
    const month = Number(query.get('month') ?? 1)
    if (path === '/') return { text: 'Our events', links: ['/month?month=1'] }
    if (path === '/month') {
      const days = Array.from({ length: 28 }, (_, day) => `/day/${month}/${day + 1}`)
      return {
        text: `Month ${month}: nothing is planned`,
        links: [`/month?month=${month - 1}`, `/month?month=${month + 1}`, ...days],
      }
    }
    return {
      text: `There are no events on this day, which is day ${path}; please come back later and look again`,
      links: ['/'],
    }
  },
  sessions(path, query) {
    // Every visit has a number of its own, and every link carries it on.
    const session = query.get('visit') ?? '0'
    const next = prose(path + session, 3).replaceAll(' ', '')
    const shown = path === '/' ? 'shop' : path
    return {
      text: prose(shown, 60),
      links: Array.from({ length: 8 }, (_, i) => `/goods/${i}?visit=${next}${session.length}`),
    }
  },
  repeatedPath: (path) => ({
    text: prose('the same everywhere', 60),
    links: [`${path.replace(/\/$/, '')}/more/pages/`, `${path}again/`],
  }),
  growingQuery(path, query) {
    const filters = [...query.entries()].map(([name, value]) => `${name}=${value}`)
    const more = ['colour=red', 'size=2', 'brand=x', 'price=low'].map(
      (filter) => `/list?${[...filters, filter].join('&')}`,
    )
    return { text: prose(`list ${path}`, 60), links: more }
  },
  sorting(path, query) {
    const keys = ['name', 'date', 'size', 'type', 'owner']
    const { sort = 'name', order = 'up', view = '1' } = Object.fromEntries(query)
    const again = keys.flatMap((key) => [
      `/files?sort=${key}&order=up&view=${view}`,
      `/files?sort=${key}&order=down&view=${view}`,
    ])
    return {
      text: prose(`files ${path}`, 60),
      links: [...again, `/files?sort=${sort}&order=${order}&view=${Number(view) + 1}`],
    }
  },
  softNotFound: (path) => ({
    text: 'We are sorry: the page that you asked for could not be found here. It may have been moved, or never have been there at all.',
    links: [`${path}x`, `/item-${path.length}-a`, `/item-${path.length}-b`],
  }),
  redirects: (path) => ({ text: '', links: [], location: `/hop/${Number(path.split('/').at(-1)) + 1 || 1}` }),
  newPages(path) {
    const name = path.slice(1) || 'start'
    return {
      text: prose(name, 80),
      links: Array.from(
        { length: 6 },
        (_, i) => `/${prose(name + String(i), 2).replaceAll(' ', '')}${'abcdef'[i]}${name.slice(0, 12)}`,
      ),
    }
  },
  counter(path) {
    const number = Number(path.slice(path.lastIndexOf('/') + 1)) || 0
    return { text: prose(`page ${number}`, 60), links: [`/n/${number + 1}`, `/n/${number + 2}`] }
  },
  tags(path) {
    const tags = path.split('/').filter((part) => part !== '' && part !== 'tagged')
    const more = words.filter((word) => !tags.includes(word)).slice(0, 6)
    return {
      text: prose(`tagged ${tags.toSorted().join(' ')}`, 50),
      links: more.map((word) => `/tagged/${[...tags, word].join('/')}`),
    }
  },
}

export interface TrapWeb {
  readonly seed: string
  /** Requests by host, in order. */
  readonly asked: ReadonlyMap<string, readonly string[]>
  close(): Promise<void>
}

/** `elsewhere`: URLs of other servers that the seed links to. */
export async function serveTraps(
  sites: ReadonlyMap<string, Site>,
  elsewhere: readonly string[] = [],
): Promise<TrapWeb> {
  const names = [...sites.keys()]
  const asked = new Map<string, string[]>(names.map((name) => [name, []]))
  const addressOf = (index: number): string => `127.4.0.${index + 2}`
  let port = 0
  const pageOf = (name: string, url: URL): TrapPage | undefined =>
    name === ''
      ? {
          text: 'seed',
          links: [...names.map((_, at) => `http://${addressOf(at + 1)}:${port}/`), ...elsewhere],
        }
      : sites.get(name)!(url.pathname, url.searchParams)
  const servers = ['', ...names].map((name) =>
    createServer((request, response) => {
      const url = new URL(request.url!, 'http://h')
      const page = url.pathname === '/robots.txt' ? undefined : pageOf(name, url)
      if (name !== '' && url.pathname !== '/robots.txt') asked.get(name)!.push(request.url!)
      answer(response, name, page)
    }),
  )
  for (const [i, server] of servers.entries()) {
    await new Promise<void>((resolve) => {
      server.listen(port, addressOf(i), resolve)
    })
    port = (server.address() as AddressInfo).port
  }
  return { seed: `http://${addressOf(0)}:${port}/`, asked, close: () => closeAll(servers) }
}

function answer(response: ServerResponse, title: string, page: TrapPage | undefined): void {
  if (page === undefined) response.writeHead(404).end()
  else if (page.location !== undefined) response.writeHead(302, { location: page.location }).end()
  else {
    const links = page.links.map((link) => `<a href="${link.replaceAll('&', '&amp;')}">x</a>`)
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    response.end(`<title>${title}</title><p>${page.text}</p>${links.join(' ')}`)
  }
}
