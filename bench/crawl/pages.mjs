// The pages of the served web, before they are spread over hosts: `{ path, read }`, path being absolute and
// decoded.
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { documentation, firstAvailable, unpackPackage } from './debian.mjs'

const isHtml = (name) => /\.html?$/i.test(name)

/**
 * Unpacks Debian's documentation and lists its pages. Other files (style sheets, images, archives) stay in
 * `folder`, where the server looks second.
 */
export function documentationPages(folder, say) {
  const packages = []
  const pages = []
  for (const alternatives of documentation) {
    const name = firstAvailable(alternatives)
    if (name === undefined) {
      say(`this Debian has no ${alternatives.join(' or ')}`)
      continue
    }
    say(`unpacking ${name}`)
    const unpacked = `${folder}.${name}`
    rmSync(unpacked, { recursive: true, force: true })
    if (!unpackPackage(name, unpacked)) continue
    const before = pages.length
    moveDocumentation(unpacked, folder)
    rmSync(unpacked, { recursive: true, force: true })
    collect(folder, '', pages)
    packages.push({ name, pages: pages.length - before })
  }
  return { packages, pages }
}

/**
 * Packages have documentation in /usr/share/doc/NAME or /usr/share/NAME: NAME becomes the first path segment.
 */
function moveDocumentation(unpacked, folder) {
  const share = join(unpacked, 'usr/share')
  for (const parent of [join(share, 'doc'), share]) {
    if (!existsSync(parent)) continue
    for (const entry of readdirSync(parent, { withFileTypes: true })) {
      const target = join(folder, entry.name)
      if (entry.isDirectory() && entry.name !== 'doc' && !existsSync(target)) {
        renameSync(join(parent, entry.name), target)
      }
    }
  }
}

/** Adds the pages under `path` that are not listed yet. Symbolic links are not followed. */
function collect(folder, path, pages, known = new Set(pages.map((page) => page.path))) {
  for (const entry of readdirSync(join(folder, path), { withFileTypes: true })) {
    const child = `${path}/${entry.name}`
    if (entry.isDirectory()) collect(folder, child, pages, known)
    else if (entry.isFile() && isHtml(entry.name) && !known.has(child)) {
      const file = join(folder, child)
      pages.push({
        path: child,
        // latin1 preserves every byte, whatever the page's encoding.
        take: () => {
          const html = readFileSync(file, 'latin1')
          rmSync(file)
          return html
        },
      })
    }
  }
}

/**
 * Generated pages for `--small`: a few kilobytes of words each, in folders, with links near, far and to other
 * hosts.
 */
export function generatedPages(count) {
  const random = seededRandom(1)
  const path = (page) => `/part-${page % 7}/chapter-${page % 5}/page-${page}.html`
  const pages = []
  for (let page = 0; page < count; page++) {
    const pieces = []
    for (let piece = 0; piece < 30; piece++) {
      const target = Math.floor(random() * count)
      pieces.push(`<p>${'some words about a page '.repeat(1 + Math.floor(random() * 8))}`)
      if (piece % 3 === 0) pieces.push(`<a href="../..${path(target)}#top">page ${target}</a>`)
      if (piece % 10 === 0) pieces.push(`<a href='https://example.org/${target}'>elsewhere</a>`)
    }
    const html = `<!doctype html><title>Page ${page}</title>\n${pieces.join('\n')}\n`
    pages.push({ path: path(page), take: () => html })
  }
  return { packages: [{ name: 'generated', pages: count }], pages }
}

/** Mulberry32: good enough for generated pages, and the same on every machine. */
function seededRandom(seed) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
