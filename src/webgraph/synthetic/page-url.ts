/**
 * URLs of synthetic pages. On the path from the site to a section, each step into a second half is named by
 * the number of first halves before it, and three steps make a directory: `/2-0-1/0-3/`. Sections have
 * distinct directories, because no section lies within another. In three sections of ten, pages have query
 * URLs.
 *
 * In a topical web some sections are in a directory with the name of their topic, and some file names have
 * the name of the page's topic.
 */
import { part, subkey, unitOf } from './draws.ts'
import type { Farms } from './farms.ts'
import type { SectionPath } from './section-path.ts'

const queryShare = 0.3
const turnsPerDirectory = 3

/** Names of topics in a page's URL; undefined for none. */
export interface UrlWords {
  readonly directory: string | undefined
  readonly file: string | undefined
}

/** `path` leads to `page`. Host names are zero-padded, so that they sort by number. */
export function pageUrl(
  page: number,
  site: number,
  sites: number,
  path: SectionPath,
  words?: UrlWords,
): string {
  const digits = String(sites - 1).length
  const offset = page - path.sectionStart
  const origin = `http://site-${String(site).padStart(digits, '0')}.example/`
  // The home page keeps its URL.
  const isFirst = path.sectionStart === path.starts[0]
  const directory =
    origin + directories(path) + (words?.directory === undefined || isFirst ? '' : `${words.directory}/`)
  if (offset === 0) return directory
  const isQuery = unitOf(subkey(path.sectionKey, part.query)) < queryShare
  if (isQuery) return `${directory}${words?.file ?? 'view'}?id=${offset}`
  return `${directory}${words?.file ?? 'page'}-${String(offset).padStart(4, '0')}.html`
}

/** A farm is a host with its target as home page. */
export function farmUrl(page: number, farms: Farms): string {
  const farm = farms.farmOf(page)
  const digits = String(farms.settings.farms - 1).length
  const home = `http://farm-${String(farm).padStart(digits, '0')}.example/`
  const offset = page - farms.target(farm)
  return offset === 0 ? home : `${home}page-${String(offset).padStart(4, '0')}.html`
}

function directories(path: SectionPath): string {
  let text = ''
  let firstHalves = 0
  let turns = 0
  for (let depth = 1; depth < path.depth; depth++) {
    if (path.starts[depth] === path.starts[depth - 1]) {
      firstHalves++
      continue
    }
    if (turns > 0) text += turns % turnsPerDirectory === 0 ? '/' : '-'
    text += firstHalves
    firstHalves = 0
    turns++
  }
  return text === '' ? '' : `${text}/`
}
