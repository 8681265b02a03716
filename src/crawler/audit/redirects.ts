/** Where redirects lead in the end. */
import { looping, noPage, redirect, type AuditedWeb } from './audited-web.ts'

export interface RedirectEnd {
  /** The last page; `noPage` if it is out of the crawl. */
  readonly page: number
  readonly url: string
  /** Number of redirects on the way. */
  readonly steps: number
  readonly isLoop: boolean
}

/** Crawlers follow at most ten redirects; a loop is longer than that. */
const stepsMax = 50

export function redirectEnd(web: AuditedWeb, from: number): RedirectEnd {
  let page = from
  for (let steps = 0; steps < stepsMax; steps++) {
    if (web.state[page] === looping) return { page, url: web.url(page), steps, isLoop: true }
    if (web.state[page] !== redirect) return { page, url: web.url(page), steps, isLoop: false }
    const target = web.redirectTarget(page)
    if (target === noPage)
      return { page: noPage, url: web.location.get(page)!, steps: steps + 1, isLoop: false }
    page = target
  }
  return { page, url: web.url(page), steps: stepsMax, isLoop: true }
}
