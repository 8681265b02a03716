/**
 * A site with planted faults, served on the loopback: every page has a title and a description of its own, is in the sitemap and
 * is linked from a list, except where a fault says otherwise. `faults` of each kind, and the findings that an audit must have: no more.
 */
import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { AuditKindName } from '../src/crawler/audit/kinds.ts'

interface Served {
  readonly status?: number
  readonly location?: string
  /** The parts of an HTML page. */
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly head?: string
  readonly body?: string
}

export interface PlantedSite {
  readonly seed: string
  /** `kind url`, where url is the path of what is at fault. */
  readonly expected: ReadonlySet<string>
  close(): void
}

class Planting {
  readonly pages = new Map<string, Served>()
  readonly expected = new Set<string>()
  /** Paths that the list and the sitemap leave out. */
  readonly unlinked = new Set<string>()
  readonly unlisted = new Set<string>()

  page(path: string, served: Served = {}): string {
    this.pages.set(path, { title: `Title of ${path}`, description: `About ${path}.`, ...served })
    return path
  }

  /** Something that is no page: not in the list, not in the sitemap. */
  aside(path: string, served: Served): string {
    this.unlinked.add(path)
    this.unlisted.add(path)
    return this.page(path, served)
  }

  expect(kind: AuditKindName, path: string): void {
    this.expected.add(`${kind} ${path}`)
  }
}

/** Of a sitemap. */
const urlsMax = 50_000
const link = (to: string, text = 'link'): string => `<a href="${to}">${text}</a>`
const canonical = (to: string): string => `<link rel=canonical href="${to}">`

/** By kind: plants the fault with this number. */
const faults: Partial<Record<AuditKindName, (site: Planting, i: number) => void>> = {
  'broken-link'(site, i) {
    site.page(`/bl/${i}.html`, { body: `<nav>${link(`/gone/${i}`, 'Gone')}</nav>` })
    site.expect('broken-link', `/gone/${i}`)
  },
  'failing-link'(site, i) {
    site.aside(`/failing/${i}`, { status: 500 })
    site.page(`/fl/${i}.html`, { body: link(`/failing/${i}`) })
    site.expect('failing-link', `/failing/${i}`)
  },
  'broken-fragment'(site, i) {
    site.page(`/fragment/${i}.html`, {
      body: `<h2 id="a b">One</h2><a name=two></a>${link('#a%20b')}${link('#two')}${link('#top')}${link('#nope')}`,
    })
    site.page(`/fragment-${i}.html`, {
      body: link(`/fragment/${i}.html#two`) + link(`/fragment/${i}.html#away`),
    })
    site.expect('broken-fragment', `/fragment/${i}.html#nope`)
    site.expect('broken-fragment', `/fragment/${i}.html#away`)
  },
  'link-to-redirect'(site, i) {
    site.aside(`/moved/${i}`, { status: 301, location: `/lr/${i}.html` })
    site.page(`/lr/${i}.html`, { body: link(`/moved/${i}`) })
    site.expect('link-to-redirect', `/moved/${i}`)
  },
  'link-to-blocked'(site, i) {
    site.aside(`/private/${i}`, {})
    site.page(`/lb/${i}.html`, { body: link(`/private/${i}`) })
    site.expect('link-to-blocked', `/private/${i}`)
  },
  'redirect-chain'(site, i) {
    site.aside(`/chain/${i}`, { status: 302, location: `/chained/${i}` })
    site.aside(`/chained/${i}`, { status: 302, location: `/rc/${i}.html` })
    site.page(`/rc/${i}.html`, { body: link(`/chain/${i}`) })
    site.expect('redirect-chain', `/chain/${i}`)
    site.expect('link-to-redirect', `/chain/${i}`)
  },
  'redirect-loop'(site, i) {
    site.aside(`/loop/${i}`, { status: 302, location: `/looped/${i}` })
    site.aside(`/looped/${i}`, { status: 302, location: `/loop/${i}` })
    site.page(`/rl/${i}.html`, { body: link(`/loop/${i}`) })
    site.expect('redirect-loop', `/looped/${i}`)
  },
  'redirect-broken'(site, i) {
    site.aside(`/to-nothing/${i}`, { status: 301, location: `/nothing/${i}` })
    site.page(`/rb/${i}.html`, { body: link(`/to-nothing/${i}`) })
    site.expect('redirect-broken', `/to-nothing/${i}`)
  },
  'title-missing'(site, i) {
    site.expect('title-missing', site.page(`/tm/${i}.html`, { title: undefined }))
  },
  'title-duplicate'(site, i) {
    const [first] = ['a', 'b', 'c'].map((x) => site.page(`/td/${i}${x}.html`, { title: `Same ${i}` }))
    site.expect('title-duplicate', first)
  },
  'description-missing'(site, i) {
    site.expect('description-missing', site.page(`/dm/${i}.html`, { description: undefined }))
  },
  'description-duplicate'(site, i) {
    const [first] = ['a', 'b'].map((x) => site.page(`/dd/${i}${x}.html`, { description: `Same ${i}` }))
    site.expect('description-duplicate', first)
  },
  'canonical-broken'(site, i) {
    site.unlisted.add(`/cb/${i}.html`)
    site.expect('canonical-broken', site.page(`/cb/${i}.html`, { head: canonical(`/no-original/${i}`) }))
  },
  'canonical-redirect'(site, i) {
    site.aside(`/cr-moved/${i}`, { status: 301, location: '/' })
    site.unlisted.add(`/cr/${i}.html`)
    site.expect('canonical-redirect', site.page(`/cr/${i}.html`, { head: canonical(`/cr-moved/${i}`) }))
  },
  'canonical-chain'(site, i) {
    site.page(`/cc/${i}/original.html`)
    for (const [from, to] of [
      ['second', 'original'],
      ['first', 'second'],
    ])
      site.unlisted.add(site.page(`/cc/${i}/${from}.html`, { head: canonical(`/cc/${i}/${to}.html`) }))
    site.expect('canonical-chain', `/cc/${i}/first.html`)
  },
  'canonical-noindex'(site, i) {
    site.unlisted.add(site.page(`/cn/${i}/hidden.html`, { head: '<meta name=robots content=noindex>' }))
    site.unlisted.add(site.page(`/cn/${i}.html`, { head: canonical(`/cn/${i}/hidden.html`) }))
    site.expect('canonical-noindex', `/cn/${i}.html`)
  },
  'canonical-outside'(site, i) {
    site.unlisted.add(`/co/${i}.html`)
    site.expect(
      'canonical-outside',
      site.page(`/co/${i}.html`, { head: canonical(`http://127.77.0.1/${i}`) }),
    )
  },
  'canonical-several'(site, i) {
    const head = canonical(`/cs/${i}.html`) + canonical('/')
    site.expect('canonical-several', site.page(`/cs/${i}.html`, { head }))
  },
  'hreflang-broken'(site, i) {
    const head = `<link rel=alternate hreflang=de href="/hb-gone/${i}">`
    site.expect('hreflang-broken', site.page(`/hb/${i}.html`, { head }))
  },
  'hreflang-no-return'(site, i) {
    const alternate = (lang: string): string =>
      `<link rel=alternate hreflang=${lang} href="/hn/${i}-${lang}.html">`
    site.page(`/hn/${i}-en.html`, { head: alternate('en') + alternate('de') + alternate('fr') })
    site.page(`/hn/${i}-de.html`, { head: alternate('en') + alternate('de') })
    site.page(`/hn/${i}-fr.html`)
    site.expect('hreflang-no-return', `/hn/${i}-en.html`)
  },
  'sitemap-broken'(site, i) {
    site.unlinked.add(site.page(`/sb/${i}`, { status: 404 }))
    site.expect('sitemap-broken', `/sb/${i}`)
  },
  'sitemap-redirect'(site, i) {
    site.unlinked.add(site.page(`/sr/${i}`, { status: 301, location: '/' }))
    site.expect('sitemap-redirect', `/sr/${i}`)
  },
  'sitemap-noindex'(site, i) {
    const head = '<meta name=robots content=noindex>'
    site.expect('sitemap-noindex', site.page(`/sn/${i}.html`, { head }))
  },
  'sitemap-canonical'(site, i) {
    site.expect('sitemap-canonical', site.page(`/sc/${i}.html`, { head: canonical('/') }))
  },
  'sitemap-missing'(site, i) {
    site.unlisted.add(site.page(`/sm/${i}.html`))
    site.expect('sitemap-missing', `/sm/${i}.html`)
  },
  orphan(site, i) {
    site.unlinked.add(site.page(`/orphan/${i}.html`, { body: link(`/orphan/${i}.html`, 'itself') }))
    site.expect('orphan', `/orphan/${i}.html`)
  },
  'deep-page'(site, i) {
    for (let depth = 1; depth <= 7; depth++) {
      const body = depth === 7 ? '' : link(`/deep/${i}/${depth + 1}.html`)
      site.page(`/deep/${i}/${depth}.html`, { body })
      if (depth > 1) site.unlinked.add(`/deep/${i}/${depth}.html`)
    }
    // The list is one click away.
    for (const depth of [5, 6, 7]) site.expect('deep-page', `/deep/${i}/${depth}.html`)
  },
  'duplicate-page'(site, i) {
    const served = {
      title: `Twin ${i}`,
      description: `Twin ${i}.`,
      body: `Words of twin ${i}, enough of them. `.repeat(9),
    }
    for (const x of ['a', 'b']) site.page(`/dp/${i}${x}.html`, served)
    site.expect('duplicate-page', `/dp/${i}a.html`)
  },
}

export const plantedKinds = Object.keys(faults) as readonly AuditKindName[]

const linksAPage = 50

/** Serves the site, with this many faults of each of these kinds and many pages without any. */
export async function servePlanted(
  kinds: readonly AuditKindName[],
  faultsOfKind: number,
  goodPages: number,
): Promise<PlantedSite> {
  const site = new Planting()
  for (const kind of kinds) for (let i = 0; i < faultsOfKind; i++) faults[kind]?.(site, i)
  for (let i = 0; i < goodPages; i++) site.page(`/good/${i}.html`, { body: bodyOf(i, goodPages) })
  const linked = [...site.pages.keys()].filter((path) => !site.unlinked.has(path))
  const lists: string[] = []
  for (let i = 0; i < linked.length; i += linksAPage) {
    const body = linked
      .slice(i, i + linksAPage)
      .map((path) => link(path, path))
      .join(' ')
    lists.push(site.page(`/list/${lists.length}.html`, { body }))
  }
  site.page('/', { body: lists.map((path) => link(path)).join(' ') })
  const listed = [...site.pages.keys()].filter((path) => !site.unlisted.has(path))
  const sitemaps = Array.from({ length: Math.ceil(listed.length / urlsMax) }, (_, i) => `/sitemap-${i}.xml`)
  const server = createServer(({ url = '/', headers: { host } }, response) => {
    const base = `http://${host}`
    const served = site.pages.get(url) ?? { status: 404 }
    const { status = 200, location } = served
    const sitemap = sitemaps.indexOf(url)
    if (url === '/robots.txt')
      response.end(
        `User-agent: *\nDisallow: /private/\n${sitemaps.map((path) => `Sitemap: ${base}${path}\n`).join('')}`,
      )
    else if (sitemap >= 0)
      response.end(sitemapOf(listed.slice(sitemap * urlsMax, (sitemap + 1) * urlsMax), base))
    else {
      const moved = location === undefined ? {} : { location }
      response.writeHead(status, { 'content-type': 'text/html', ...moved })
      response.end(status === 200 ? htmlOf(served) : '')
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    seed: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    expected: site.expected,
    close: () => closed(server),
  }
}

/** Some kilobytes of text, links to other good pages, and a link to a fragment of the next. */
function bodyOf(page: number, pages: number): string {
  const sections = Array.from({ length: 10 }, (_, i) => {
    const to = (page * 7 + i * 131) % pages
    return `<h2 id=s${i}>Part ${i}</h2><p>${`Words of page ${page}, part ${i}. `.repeat(8)}${link(`/good/${to}.html#s${i}`)}</p>`
  })
  return `<nav>${link('/')} ${link('#s1')}</nav>${sections.join('')}`
}

function sitemapOf(paths: readonly string[], base: string): string {
  const urls = paths.map((path) => `<url><loc>${base}${path}</loc></url>`)
  return `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join('')}</urlset>`
}

function htmlOf({ title, description, head = '', body = '' }: Served): string {
  const titled = title === undefined ? '' : `<title>${title}</title>`
  const described = description === undefined ? '' : `<meta name="description" content="${description}">`
  return `<!doctype html><html><head>${titled}${described}${head}</head><body><main>${body}</main></body></html>`
}

function closed(server: Server): void {
  server.closeAllConnections()
  server.close()
}
