// A small web on three loopback addresses whose pages and links change all the time. Every response is a line of the log:
// [time, URL, status, version, target pages or location]. `node changing-web.mjs PAGES LOG` prints its port, and a line at the first request.
import { once } from 'node:events'
import { closeSync, openSync, writeSync } from 'node:fs'
import { createServer } from 'node:http'

const pages = Number(process.argv[2])
const log = openSync(process.argv[3], 'w')
const startMs = Date.now()
const hosts = ['127.0.0.1', '127.0.0.2', '127.0.0.3']
/** Pages that are added while the server runs: one in this time. */
const newPageMs = 5000
const counters = new Uint32Array(pages)

const urlOf = (page) => `http://${hosts[page % hosts.length]}:${port}/${page === 0 ? '' : `page-${page}`}`
const period = (page) => 2000 * 1.5 ** (page % 13)

/** Which version of a page the server has now. The first response of every page is a page, not an error. */
function versionOf(page) {
  const kind = page % 8
  if (kind === 0 || kind === 1) return counters[page]
  if (kind === 2 || kind === 3) return 0
  return Math.floor((Date.now() - startMs) / period(page))
}

/**
 * 0: text and links change with every response; 1: only links do. 2: never, with ETag; 3: never, but the bytes differ. 4: now and then, with
 * ETag; 5: without. 6: now and then, and every third time it is missing (404) or gone (410). 7: every third time it is a redirect.
 */
function responseOf(page, version) {
  const kind = page % 8
  const isOff = kind >= 6 && version % 3 === 2 && counters[page] > 1
  if (isOff && kind === 6) return { status: page % 16 === 6 ? 404 : 410, html: 'not found', targets: [] }
  const random = lcg(page * 7919 + version * 104_729)
  if (isOff) return { status: 302, location: urlOf(random() % pages), html: '' }
  const targets = new Set()
  // The first page links to all, so that every page is found and gone pages are found again.
  if (page === 0) for (let other = 1; other < pages; other++) targets.add(other)
  else while (targets.size < Math.min(8, pages)) targets.add(random() % pages)
  const text = kind === 1 ? 'the same text in every version' : `version ${version} of this page`
  const anchors = [...targets].map((target) => `<a href="${urlOf(target)}">page ${target}</a>`)
  const news = page === 0 ? newPages() : []
  anchors.push(...news.map((id) => `<a href="/new-${id}">new</a>`))
  const byte = kind === 3 ? `<i class="b${counters[page]}"></i>` : ''
  const feed = page === 0 ? '<link rel="alternate" type="application/rss+xml" href="/feed.xml">' : ''
  const html = `<!doctype html><title>Page ${page}, ${version}</title>${feed}<p>${'Words of a page '.repeat(40)}${byte}${text}</p>${anchors.join('\n')}`
  const etag = kind === 2 || kind === 4 ? `"${page}-${version}"` : undefined
  return { status: 200, html, etag, targets: [...[...targets].map(urlOf), ...news.map((id) => newUrl(id))] }
}

const newUrl = (id) => `http://${hosts[0]}:${port}/new-${id}`
const newCount = () => Math.floor((Date.now() - startMs) / newPageMs)
const newPages = () => Array.from({ length: Math.min(20, newCount()) }, (_, i) => newCount() - 1 - i)

function lcg(seed) {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state >>> 8
  }
}

function answer(url, host) {
  if (url === '/robots.txt')
    return { status: 200, type: 'text/plain', html: `Sitemap: http://${host}/sitemap.xml\n` }
  if (url === '/sitemap.xml') {
    const own = Array.from({ length: pages }, (_, page) => urlOf(page)).filter((page) => page.includes(host))
    const entries = own.slice(0, 20).map((page) => `<url><loc>${page}</loc></url>`)
    return { status: 200, type: 'application/xml', html: `<urlset>${entries.join('')}</urlset>` }
  }
  if (url === '/feed.xml') {
    const items = newPages().map((id) => `<item><title>New ${id}</title><link>${newUrl(id)}</link></item>`)
    return {
      status: 200,
      type: 'application/rss+xml',
      html: `<rss><channel>${items.join('')}</channel></rss>`,
    }
  }
  if (url.startsWith('/new-'))
    return { status: 200, html: `<title>New ${url}</title><p>A new page that never changes`, targets: [] }
  const page = url === '/' ? 0 : Number(/^\/page-(\d+)$/.exec(url)?.[1] ?? NaN)
  if (!(page < pages)) return { status: 404, html: 'not found' }
  counters[page]++
  const version = versionOf(page)
  return { version, ...responseOf(page, version) }
}

let isRequested = false
function respond(request, response) {
  const { host } = request.headers
  const { type = 'text/html', html, etag, location, targets, ...rest } = answer(request.url, host)
  const isSame = etag !== undefined && request.headers['if-none-match'] === etag
  const status = isSame ? 304 : rest.status
  const line = [Date.now(), `http://${host}${request.url}`, status, rest.version, location ?? targets]
  writeSync(log, `${JSON.stringify(line)}\n`)
  if (!isRequested) console.log('requested')
  isRequested = true
  response.writeHead(status, {
    'Content-Type': type,
    ...(etag && { ETag: etag }),
    ...(location && { Location: location }),
  })
  response.end(isSame ? undefined : html)
}

let port = 0
for (const host of hosts) {
  const server = createServer(respond).listen(port, host)
  await once(server, 'listening')
  port = server.address().port
}
console.log(port)
process.once('SIGTERM', () => {
  closeSync(log)
  process.exit()
})
