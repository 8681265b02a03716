/**
 * The served web: pages spread over loopback hosts, all reachable by links from the first host's start page,
 * without links off the machine.
 *
 *   web/127.0.0.1/index.html              generated: links to every host, and to this host's pages
 *   web/127.0.0.1/openjdk/api/...html     real, with links changed as below
 *   web/assets/openjdk/api/...css         real: other files, the same for every host
 *
 * Pages are sorted by path and divided into equal runs, one per host, so that a host has neighbouring
 * folders. A page keeps its path and therefore its relative links; two kinds of links are changed:
 * - links to a page of another host get that host's address, as in any web of several hosts;
 * - external links lead to a page chosen by the hash of the link, so that no crawler leaves the machine and
 * hosts are linked to each other.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Incremented when the same pages would be served differently, so that cached webs are rebuilt. */
export const webVersion = 2

export const hostAddress = (host) => `127.0.${Math.floor(host / 100)}.${(host % 100) + 1}`

/**
 * Writes the web into `folder` and describes it; the description is also stored as web.json, its pages as
 * urls.txt.
 */
export function buildWeb(folder, { pages, packages }, { hosts, port, say }) {
  pages.sort((a, b) => (a.path < b.path ? -1 : 1))
  const web = {
    origin: (host) => `http://${hostAddress(host)}:${port}`,
    hostOf: (page) => Math.floor((page * hosts) / pages.length),
    url: (page) => web.origin(web.hostOf(page)) + encodePath(pages[page].path),
    pageAt: new Map(pages.map(({ path }, page) => [path, page])),
    count: pages.length,
  }
  say(`spreading ${pages.length} pages over ${hosts} hosts`)
  let bytes = 0
  const links = pages.map(({ path, take }, page) => {
    const { html, targets } = relink(take(), page, path, web)
    bytes += html.length
    write(join(folder, hostAddress(web.hostOf(page)), path), html)
    return targets
  })
  const entries = entryPages(links, pages, hosts, web)
  for (let host = 0; host < hosts; host++) {
    write(join(folder, hostAddress(host), 'index.html'), indexPage(host, entries[host], hosts, web))
  }
  mkdirSync(join(folder, 'assets'), { recursive: true })
  writeFileSync(join(folder, 'urls.txt'), pages.map((_, page) => `${web.url(page)}\n`).join(''))
  const linkCount = links.reduce((sum, targets) => sum + targets.length, 0)
  const description = {
    version: webVersion,
    port,
    hosts,
    pages: pages.length,
    bytes,
    links: linkCount,
    listed: entries.reduce((sum, { length }) => sum + length, 0),
    packages,
  }
  writeFileSync(join(folder, 'web.json'), JSON.stringify(description))
  return description
}

/** The cached web, or undefined if there is none like it. */
export function cachedWeb(folder, { hosts, port }) {
  try {
    const web = JSON.parse(readFileSync(join(folder, 'web.json'), 'utf8'))
    return web.version === webVersion && web.port === port && web.hosts === hosts ? web : undefined
  } catch {
    return undefined
  }
}

const attribute = /\b(href|src)(\s*=\s*)("[^"]*"|'[^']*'|[^\s"'>]+)/gi
const refresh = /(<meta[^>]*\burl=)((?:https?:)?\/\/[^"'>\s]*)/gi
const outside = /^\s*(?:https?:)?\/\//i
const scheme = /^\s*[a-z][a-z0-9+.-]*:/i

/**
 * The page with changed links, and the pages that it links to in a way that every crawler follows: by <a> or
 * <area>.
 */
function relink(html, page, path, web) {
  const targets = []
  const host = web.hostOf(page)
  const base = web.origin(host) + encodePath(path)
  const elsewhere = (link) => hash(link) % web.count
  const changed = html.replace(attribute, (whole, name, equals, quoted, at) => {
    const quote = quoted[0] === '"' || quoted[0] === "'" ? quoted[0] : ''
    const link = quote === '' ? quoted : quoted.slice(1, -1)
    const followed = /^<(?:a|area)\s/i.test(html.slice(html.lastIndexOf('<', at), at))
    if (outside.test(link)) {
      const target = elsewhere(link)
      if (followed) targets.push(target)
      return `${name}${equals}${quote}${web.url(target)}${quote}`
    }
    if (link === '' || link[0] === '#' || scheme.test(link)) return whole
    const target = resolvePage(link, base, web)
    if (target === undefined) return whole
    if (followed) targets.push(target.page)
    const owner = web.hostOf(target.page)
    if (owner === host) return whole
    return `${name}${equals}${quote}${web.origin(owner)}${target.rest}${quote}`
  })
  return { html: changed.replace(refresh, (_, before, link) => before + web.url(elsewhere(link))), targets }
}

function resolvePage(link, base, web) {
  try {
    const { pathname, search, hash } = new URL(link, base)
    const path = decodeURIComponent(pathname)
    const page = web.pageAt.get(path.endsWith('/') ? `${path}index.html` : path)
    return page === undefined ? undefined : { page, rest: pathname + search + hash }
  } catch {
    return undefined // no URL, or bytes that are no UTF-8: such a link stays as broken as it was
  }
}

/**
 * For each host the pages on its index page: the host's first page and its folders' index pages, and then, in
 * order, each page that is not reachable from those before it.
 */
function entryPages(links, pages, hosts, web) {
  const entries = Array.from({ length: hosts }, () => [])
  const reached = new Uint8Array(pages.length)
  const list = (start) => {
    entries[web.hostOf(start)].push(start)
    const open = [start]
    reached[start] = 1
    while (open.length > 0) {
      for (const target of links[open.pop()]) {
        if (reached[target] === 0) {
          reached[target] = 1
          open.push(target)
        }
      }
    }
  }
  const isFirst = (page) => page === 0 || web.hostOf(page) !== web.hostOf(page - 1)
  pages.forEach(({ path }, page) => (isFirst(page) || path.endsWith('/index.html')) && list(page))
  pages.forEach((_, page) => reached[page] === 0 && list(page))
  return entries
}

function indexPage(host, entries, hosts, web) {
  const others = host === 0 ? Array.from({ length: hosts }, (_, other) => other) : [(host + 1) % hosts]
  const items = [...others.map((other) => `${web.origin(other)}/`), ...entries.map((page) => web.url(page))]
  const list = items.map((url) => `<li><a href="${url}">${url}</a></li>`)
  return `<!doctype html>\n<title>Host ${host}</title>\n<ul>\n${list.join('\n')}\n</ul>\n`
}

const encodePath = (path) => path.split('/').map(encodeURIComponent).join('/')

/** FNV-1a. */
function hash(text) {
  let value = 0x811c9dc5
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193)
  return value >>> 0
}

function write(file, latin1) {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, latin1, 'latin1')
}

export const removeWeb = (folder) => rmSync(folder, { recursive: true, force: true })
