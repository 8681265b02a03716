/** Reads all archived pages of a crawl once, and collects what an audit needs of them. */
import { setImmediate as turn } from 'node:timers/promises'
import { hostOf } from '../../lib/host.ts'
import type { Progress } from '../../lib/progress.ts'
import { PageArchive } from '../read/page-archive.ts'
import type { CrawlFolder } from '../record/crawl-folder.ts'
import {
  blocked,
  failing,
  html,
  missing,
  noPage,
  redirect,
  unchecked,
  type AuditedWeb,
} from './audited-web.ts'
import { Fragments, hashOf, nameOf } from './fragments.ts'
import { Occurrences } from './occurrences.ts'
import { ContentsReader, type AuditedLink } from './page-contents.ts'

const pagesAtOnce = 32

/** The kinds of faulty links that the state of their target decides. */
type LinkKind = 'broken-link' | 'failing-link' | 'link-to-redirect' | 'link-to-blocked' | 'insecure-link'

export interface Contents {
  /** Pages that were read. */
  readonly read: number
  readonly links: Readonly<Record<LinkKind, Occurrences>>
  /** Targets are numbers in `fragmentTargets`. */
  readonly fragments: Occurrences
  readonly fragmentTargets: readonly string[]
  /** Links that lead out of the crawl, by number in `externalUrls`; empty if they are not wanted. */
  readonly external: Occurrences
  readonly externalUrls: readonly string[]
  readonly descriptions: ReadonlyMap<number, string>
  readonly severalCanonicals: ReadonlyMap<number, readonly string[]>
  readonly alternates: readonly Alternate[]
  /** By page: whether another page links to it. */
  readonly isLinked: Uint8Array
  /** Different links of a page that lead out of the crawl, and those to pages that it did not fetch, over all pages. */
  readonly linksOutside: number
  readonly linksUnchecked: number
}

export interface Alternate {
  readonly page: number
  readonly url: string
  readonly language: string
}

export async function readContents(
  folder: CrawlFolder,
  web: AuditedWeb,
  wantsExternal: boolean,
  progress: Progress,
): Promise<Contents> {
  const reading = new Reading(folder, web, wantsExternal)
  const rows = Uint32Array.from(web.archived)
  const archive = new PageArchive(folder)
  let done = 0
  for (const [page, body] of archive.responses(web, web.files, rows)) {
    if (++done % pagesAtOnce === 0) await turn()
    progress(done, rows.length)
    reading.read(page, body)
  }
  reading.addUnread()
  for (const page of reading.fragments.brokenSources())
    reading.readFragments(page, archive.response(web.files[web.file[page]], web.offset[page]))
  return reading.contents(done)
}

class Reading {
  readonly fragments: Fragments
  readonly #web: AuditedWeb
  readonly #wantsExternal: boolean
  readonly #reader: ContentsReader
  readonly #links = {
    'broken-link': new Occurrences(),
    'failing-link': new Occurrences(),
    'link-to-redirect': new Occurrences(),
    'link-to-blocked': new Occurrences(),
    'insecure-link': new Occurrences(),
  }
  readonly #broken = new Occurrences()
  readonly #brokenTargets = new Map<string, number>()
  readonly #external = new Occurrences()
  readonly #externalUrls = new Map<string, number>()
  readonly #descriptions = new Map<number, string>()
  readonly #severalCanonicals = new Map<number, readonly string[]>()
  readonly #alternates: Alternate[] = []
  readonly #isLinked: Uint8Array
  readonly #isRead: Uint8Array
  #linksOutside = 0
  #linksUnchecked = 0

  constructor(folder: CrawlFolder, web: AuditedWeb, wantsExternal: boolean) {
    this.#web = web
    this.#wantsExternal = wantsExternal
    this.#reader = new ContentsReader(folder.file.options.canonicalRules)
    this.fragments = new Fragments(web.state.length)
    this.#isLinked = new Uint8Array(web.state.length)
    this.#isRead = new Uint8Array(web.state.length)
  }

  read(page: number, body: Parameters<ContentsReader['read']>[1]): void {
    const url = this.#web.url(page)
    // One occurrence for a page and target, whatever the number of links.
    const seen = new Set<string>()
    const contents = this.#reader.read(url, body, (link) => this.#link(page, url, link, seen))
    if (contents === undefined) return
    this.#isRead[page] = 1
    if (contents.isWhole) this.fragments.addNames(page, contents.names)
    if (contents.description !== undefined) this.#descriptions.set(page, contents.description)
    if (contents.canonicals.length > 1) this.#severalCanonicals.set(page, contents.canonicals)
    for (const { url: target, language } of contents.alternates)
      this.#alternates.push({ page, url: target, language })
  }

  /** Pages without an archived body: the record has their links, without anchors. */
  addUnread(): void {
    const { crawl, state } = this.#web
    for (let page = 0; page < state.length; page++) {
      if (this.#isRead[page] === 1 || state[page] !== html) continue
      crawl.links.seek(page)
      const { targets, start, end } = crawl.links
      for (const target of new Set(targets.subarray(start, end))) {
        if (target === crawl.outside || target === page) continue
        this.#isLinked[target] = 1
        this.#judge(page, target, { anchor: () => '', place: '' })
      }
    }
  }

  /** Reads the page again for its links to fragments that do not exist. */
  readFragments(page: number, body: Parameters<ContentsReader['read']>[1]): void {
    const seen = new Set<string>()
    this.#reader.read(this.#web.url(page), body, ({ url, fragment, anchor, place }) => {
      const name = nameOf(fragment)
      const target = name === undefined ? noPage : this.#web.pageOf(url)
      if (name === undefined || target === noPage || seen.has(`${url}#${fragment}`)) return
      // A name may also be written as it is in the URL, escapes and all.
      if (
        !this.fragments.isMissing(target, hashOf(name)) ||
        !this.fragments.isMissing(target, hashOf(fragment))
      )
        return
      seen.add(`${url}#${fragment}`)
      this.#broken.add(numberIn(this.#brokenTargets, `${url}#${fragment}`), page, anchor(), place)
    })
  }

  contents(read: number): Contents {
    return {
      read,
      links: this.#links,
      fragments: this.#broken,
      fragmentTargets: [...this.#brokenTargets.keys()],
      external: this.#external,
      externalUrls: [...this.#externalUrls.keys()],
      descriptions: this.#descriptions,
      severalCanonicals: this.#severalCanonicals,
      alternates: this.#alternates,
      isLinked: this.#isLinked,
      linksOutside: this.#linksOutside,
      linksUnchecked: this.#linksUnchecked,
    }
  }

  #link(page: number, pageUrl: string, link: AuditedLink, seen: Set<string>): void {
    const { url, fragment } = link
    const isNew = !seen.has(url)
    if (!isNew && fragment === '') return
    seen.add(url)
    const target = url === pageUrl ? page : this.#web.pageOf(url)
    if (target === noPage) {
      if (isNew) this.#leave(page, link)
      return
    }
    const name = nameOf(fragment)
    if (name !== undefined && this.#web.state[target] === html) this.fragments.addLink(page, target, name)
    if (!isNew || target === page) return
    this.#isLinked[target] = 1
    this.#judge(page, target, link)
    if (isDowngrade(pageUrl, url)) this.#links['insecure-link'].add(target, page, link.anchor(), link.place)
  }

  #judge(page: number, target: number, { anchor, place }: Pick<AuditedLink, 'anchor' | 'place'>): void {
    const state = this.#web.state[target]
    if (state === unchecked) this.#linksUnchecked++
    const kind = kindOf(state)
    if (kind !== undefined) this.#links[kind].add(target, page, anchor(), place)
  }

  #leave(page: number, { url, anchor, place }: AuditedLink): void {
    this.#linksOutside++
    if (this.#wantsExternal) this.#external.add(numberIn(this.#externalUrls, url), page, anchor(), place)
  }
}

function kindOf(state: number): Exclude<LinkKind, 'insecure-link'> | undefined {
  if (state === missing) return 'broken-link'
  if (state === failing) return 'failing-link'
  if (state === redirect) return 'link-to-redirect'
  return state === blocked ? 'link-to-blocked' : undefined
}

function numberIn(numbers: Map<string, number>, text: string): number {
  let number = numbers.get(text)
  if (number === undefined) numbers.set(text, (number = numbers.size))
  return number
}

/** Whether a link leads from https to http on the same host. */
function isDowngrade(from: string, to: string): boolean {
  if (!from.startsWith('https:') || !to.startsWith('http:')) return false
  return hostOf(from) === hostOf(to)
}
