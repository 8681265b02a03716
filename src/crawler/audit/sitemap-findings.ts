/** Findings about sitemaps, if the crawl read them; and pages that no page links to. */
import { hostOf } from '../../lib/host.ts'
import { html, noPage, redirect, type AuditedWeb } from './audited-web.ts'
import { pageFinding, type Finding } from './finding.ts'
import { isFailed } from './link-findings.ts'
import type { Contents } from './read-contents.ts'
import { redirectEnd } from './redirects.ts'

export function* sitemapFindings(web: AuditedWeb): Generator<Finding> {
  const hosts = new Set<string | undefined>()
  for (let page = 0; page < web.state.length; page++)
    if (web.listed[page] === 1) hosts.add(hostOf(web.url(page)))
  if (hosts.size === 0) return
  const seeds = new Set(web.seeds)
  for (let page = 0; page < web.state.length; page++) {
    if (web.listed[page] === 1) yield* entryFindings(web, page)
    // Seeds come before sitemaps, so whether they are listed is not recorded.
    else if (
      web.sitemapsMissed === 0 &&
      web.isIndexable(page) &&
      !web.copyOf.has(page) &&
      !seeds.has(page) &&
      hosts.has(hostOf(web.url(page)))
    )
      yield pageFinding(web, 'sitemap-missing', page)
  }
}

function* entryFindings(web: AuditedWeb, page: number): Generator<Finding> {
  if (isFailed(web, page)) yield pageFinding(web, 'sitemap-broken', page, web.error.get(page))
  else if (web.state[page] === redirect)
    yield pageFinding(web, 'sitemap-redirect', page, redirectEnd(web, page).url)
  else if (web.noindex[page] === 1) yield pageFinding(web, 'sitemap-noindex', page)
  else if (web.canonical.has(page)) yield pageFinding(web, 'sitemap-canonical', page, web.canonical.get(page))
}

/** Only for a crawl that fetched every page: a page that was not fetched may have the link. */
export function* orphanFindings(web: AuditedWeb, { isLinked }: Contents): Generator<Finding> {
  const isReached = isLinked.slice()
  for (let page = 0; page < web.state.length; page++) {
    if (web.state[page] !== redirect || isLinked[page] === 0) continue
    const end = redirectEnd(web, page)
    if (end.page !== noPage) isReached[end.page] = 1
  }
  for (let page = 0; page < web.state.length; page++)
    if (web.listed[page] === 1 && web.state[page] === html && isReached[page] === 0)
      yield pageFinding(web, 'orphan', page)
}
