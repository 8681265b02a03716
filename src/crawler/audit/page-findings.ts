/** Findings about single pages: titles, descriptions, canonical URLs, versions in other languages, copies, depth. */
import { html, noPage, redirect, unchecked, type AuditedWeb } from './audited-web.ts'
import { findingOf, pageFinding, type Finding } from './finding.ts'
import { isFailed, isFaultyTarget } from './link-findings.ts'
import type { Contents } from './read-contents.ts'

export function* textFindings(web: AuditedWeb, { descriptions, read }: Contents): Generator<Finding> {
  const titles = new Map<string, number[]>()
  const texts = new Map<string, number[]>()
  for (let page = 0; page < web.state.length; page++) {
    // Copies have the title of their original: the copy is the fault.
    if (!web.isIndexable(page) || web.copyOf.has(page)) continue
    const title = web.title[page]
    if (title === '') yield pageFinding(web, 'title-missing', page)
    else append(titles, title, page)
    if (read === 0) continue
    const description = descriptions.get(page)
    if (description === undefined) yield pageFinding(web, 'description-missing', page)
    else append(texts, description, page)
  }
  yield* shared(web, 'title-duplicate', titles)
  yield* shared(web, 'description-duplicate', texts)
}

function append(pages: Map<string, number[]>, text: string, page: number): void {
  const list = pages.get(text)
  if (list === undefined) pages.set(text, [page])
  else list.push(page)
}

function* shared(
  web: AuditedWeb,
  kind: 'title-duplicate' | 'description-duplicate',
  texts: ReadonlyMap<string, readonly number[]>,
): Generator<Finding> {
  for (const [text, pages] of texts) {
    if (pages.length === 1) continue
    const finding = findingOf(web, kind, {
      url: '',
      detail: text,
      pages: pages.map((source) => ({ source })),
    })
    yield { ...finding, url: finding.pages[0].url }
  }
}

export function* canonicalFindings(
  web: AuditedWeb,
  { severalCanonicals }: Contents,
  isInScope: (url: string) => boolean,
): Generator<Finding> {
  for (const [page, urls] of severalCanonicals)
    if (web.state[page] === html) yield pageFinding(web, 'canonical-several', page, urls.join(' '))
  for (const [page, url] of web.canonical) {
    if (web.state[page] !== html || severalCanonicals.has(page)) continue
    const target = web.pageOf(url)
    if (target === noPage) {
      if (!isInScope(url)) yield pageFinding(web, 'canonical-outside', page, url)
    } else if (isFailed(web, target))
      yield pageFinding(web, 'canonical-broken', page, `${url} (${web.error.get(target)})`)
    else if (web.state[target] === redirect) yield pageFinding(web, 'canonical-redirect', page, url)
    else if (web.noindex[target] === 1) yield pageFinding(web, 'canonical-noindex', page, url)
    else if (web.canonical.has(target)) {
      const next = web.canonical.get(target)!
      yield pageFinding(web, 'canonical-chain', page, `${url}, which names ${next}`)
    }
  }
}

export function* alternateFindings(web: AuditedWeb, { alternates }: Contents): Generator<Finding> {
  const pairs = new Set<string>()
  const found = alternates.map((alternate) => ({ ...alternate, target: web.pageOf(alternate.url) }))
  for (const { page, target } of found) pairs.add(`${page} ${target}`)
  const reported = new Set<string>()
  for (const { page, target, url, language } of found) {
    if (target === noPage || target === page || reported.has(`${page} ${target}`)) continue
    reported.add(`${page} ${target}`)
    const detail = `${language}: ${url}`
    if (isFaultyTarget(web, target)) yield pageFinding(web, 'hreflang-broken', page, detail)
    else if (web.state[target] === html && !pairs.has(`${target} ${page}`))
      yield pageFinding(web, 'hreflang-no-return', page, detail)
  }
}

/** Copies that no canonical URL explains, by original. */
export function* copyFindings(web: AuditedWeb): Generator<Finding> {
  const copies = new Map<number, number[]>()
  for (const [page, first] of web.copyOf) {
    if (!web.isIndexable(page)) continue
    let original = first
    for (let next = web.copyOf.get(original); next !== undefined; next = web.copyOf.get(original))
      original = next
    if (!web.isIndexable(original)) continue
    const list = copies.get(original)
    if (list === undefined) copies.set(original, [page])
    else list.push(page)
  }
  for (const [original, pages] of copies)
    yield findingOf(web, 'duplicate-page', {
      url: web.url(original),
      pages: pages.map((source) => ({ source })),
    })
}

/** Pages more than this many clicks away from the seeds. */
export function* depthFindings(web: AuditedWeb, depthMax: number): Generator<Finding> {
  const clicks = clicksOf(web)
  for (let page = 0; page < clicks.length; page++)
    if (clicks[page] > depthMax && web.state[page] === html)
      yield pageFinding(web, 'deep-page', page, `${clicks[page]} clicks`)
}

/** By page: the length of the shortest way from a seed; 0 also if there is none. A redirect is no click. */
function clicksOf(web: AuditedWeb): Uint32Array {
  const { crawl, state } = web
  const clicks = new Uint32Array(state.length)
  const isSeen = new Uint8Array(state.length)
  let level = [...web.seeds]
  for (const page of level) isSeen[page] = 1
  for (let depth = 0; level.length > 0; depth++) {
    const next: number[] = []
    // Targets of redirects join the level while it is read.
    for (let i = 0; i < level.length; i++) {
      const page = level[i]
      clicks[page] = depth
      if (state[page] === unchecked || !crawl.pages.isCrawled(page)) continue
      crawl.links.seek(page)
      const { targets, start, end } = crawl.links
      for (let at = start; at < end; at++) {
        const target = targets[at]
        if (target === crawl.outside || isSeen[target] === 1) continue
        isSeen[target] = 1
        ;(state[page] === redirect ? level : next).push(target)
      }
    }
    level = next
  }
  return clicks
}
