/** Findings about links and redirects. */
import { blocked, failing, looping, missing, noPage, redirect, type AuditedWeb } from './audited-web.ts'
import { findingOf, pageFinding, type Finding } from './finding.ts'
import type { Contents } from './read-contents.ts'
import { redirectEnd } from './redirects.ts'

export function* linkFindings(web: AuditedWeb, contents: Contents): Generator<Finding> {
  for (const kind of ['broken-link', 'failing-link', 'link-to-blocked', 'insecure-link'] as const) {
    for (const [target, pages] of contents.links[kind].groups()) {
      const detail = kind === 'insecure-link' ? undefined : web.error.get(target)
      yield findingOf(web, kind, { url: web.url(target), detail, pages })
    }
  }
  for (const [target, pages] of contents.links['link-to-redirect'].groups()) {
    const end = redirectEnd(web, target)
    // Faults of the redirect are findings of their own.
    if (end.isLoop || isFailed(web, end.page)) continue
    yield findingOf(web, 'link-to-redirect', { url: web.url(target), detail: end.url, pages })
  }
  for (const [target, pages] of contents.fragments.groups())
    yield findingOf(web, 'broken-fragment', { url: contents.fragmentTargets[target], pages })
}

/** Each redirect whose way to the end is at fault. A loop is one finding. */
export function* redirectFindings(web: AuditedWeb): Generator<Finding> {
  const loops = new Set<number>()
  for (let page = 0; page < web.state.length; page++) {
    if (web.state[page] !== redirect) {
      if (web.state[page] === looping && !loops.has(page)) {
        loops.add(page)
        yield pageFinding(web, 'redirect-loop', page, web.location.get(page))
      }
      continue
    }
    const end = redirectEnd(web, page)
    if (end.isLoop) {
      if (web.state[end.page] === looping) continue
      // A loop that the crawl did not name: every page of it is one redirect away from the next.
      if (!loops.has(end.page)) yield pageFinding(web, 'redirect-loop', page, end.url)
      for (let at = page; !loops.has(at); at = web.redirectTarget(at)) loops.add(at)
    } else if (isFailed(web, end.page)) {
      const detail = `${end.url} (${web.error.get(end.page)})`
      yield pageFinding(web, 'redirect-broken', page, detail)
    } else if (end.steps > 1)
      yield pageFinding(web, 'redirect-chain', page, `${end.steps} redirects to ${end.url}`)
  }
}

/** Whether a page is known to fail. */
export function isFailed(web: AuditedWeb, page: number): boolean {
  if (page === noPage) return false
  const state = web.state[page]
  return state === missing || state === failing || state === looping
}

/** Whether a page may be fetched and has content. */
export function isFaultyTarget(web: AuditedWeb, page: number): boolean {
  return isFailed(web, page) || web.state[page] === redirect || web.state[page] === blocked
}
