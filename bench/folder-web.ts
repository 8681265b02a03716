/**
 * Webs from folders of HTML files, such as unpacked packages of documentation: an edge list and a list of URLs for each
 * folder. Links are extracted as in a crawl.
 *
 * A folder is one site. Links that leave it, and links to files that are missing or not HTML, are dropped. The file behind
 * several symbolic links is one page.
 */
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  realpathSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { extractPage } from '../src/web/html/page.ts'

const host = 'http://docs.example'
const htmlName = /\.(?:x?html?|xht)$/i
/** A web of fewer pages says little about an order. */
const pagesMin = 150

interface FolderWeb {
  readonly urls: readonly string[]
  /** The pages that each page links to, in page order, without repeats and without itself. */
  readonly links: readonly (readonly number[])[]
}

/** Pages are the HTML files below `folder`, in order of their paths. */
export function folderWeb(folder: string): FolderWeb {
  const root = realpathSync(folder)
  const files = htmlFiles(root)
  const numbers = new Map(files.map((file, page) => [file, page]))
  const paths = files.map((file) => file.slice(root.length))
  const pageAt = new Map<string, number | undefined>()
  const find = (url: string): number | undefined => {
    if (!pageAt.has(url)) pageAt.set(url, pageOf(root, numbers, url))
    return pageAt.get(url)
  }
  const urls = paths.map((path) => new URL(path.split('/').map(encodeURIComponent).join('/'), host).href)
  const links = files.map((file, page) => {
    const targets = new Set<number>()
    for (const { url } of extractPage(readFileSync(file), urls[page]).links) {
      const target = url.startsWith(`${host}/`) ? find(url.replace(/[?#].*$/s, '')) : undefined
      if (target !== undefined && target !== page) targets.add(target)
    }
    return [...targets].toSorted((a, b) => a - b)
  })
  return { urls, links }
}

function htmlFiles(root: string): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && htmlName.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
}

/** The page of a URL without query and fragment, as a server of files would find it. */
function pageOf(root: string, numbers: ReadonlyMap<string, number>, url: string): number | undefined {
  try {
    const path = join(root, decodeURIComponent(new URL(url).pathname))
    const file = statSync(path).isDirectory() ? join(path, 'index.html') : path
    return numbers.get(realpathSync(file))
  } catch {
    return undefined
  }
}

/** Makes the web of each folder in `roots` that `webs` lacks, unless it is too small. */
export function makeFolderWebs(roots: string, webs: string): void {
  mkdirSync(webs, { recursive: true })
  for (const name of readdirSync(roots).toSorted()) {
    const path = join(webs, name)
    if (!existsSync(`${path}.edges.tsv.gz`)) makeFolderWeb(join(roots, name), path)
  }
}

/** Writes the web of a folder, unless it is too small. */
export function makeFolderWeb(folder: string, path: string): void {
  const web = folderWeb(folder)
  if (web.urls.length >= pagesMin) writeWeb(web, path)
}

function writeWeb({ urls, links }: FolderWeb, path: string): void {
  const edges = links.reduce((sum, { length }) => sum + length, 0)
  const lines = links.flatMap((targets, page) => targets.map((target) => `${page}\t${target}`))
  writeFileSync(`${path}.urls.txt.gz`, gzipSync(`${urls.join('\n')}\n`))
  writeFileSync(
    `${path}.edges.tsv.gz`,
    gzipSync([`# Nodes: ${urls.length} Edges: ${edges}`, ...lines, ''].join('\n')),
  )
}
