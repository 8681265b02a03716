/** One fault of a site, with every page that has it. */
import type { AuditedWeb } from './audited-web.ts'
import { auditKinds, type AuditKindName, type Severity } from './kinds.ts'

/** A page that has the fault. */
export interface AuditedPlace {
  readonly url: string
  /** For links: the text of the first faulty link of the page, and the element that it stands in. */
  readonly anchor?: string | undefined
  readonly place?: string | undefined
}

export interface Finding {
  readonly kind: AuditKindName
  readonly severity: Severity
  /** What is at fault: the target of links, or the page itself. */
  readonly url: string
  /** In a few words: a status, a title, the URL to use instead. */
  readonly detail?: string | undefined
  /** The share of the PageRank of all known pages that the pages with the fault have. */
  readonly weight: number
  /** All pages that have it, those with the highest PageRank first. */
  readonly pages: readonly AuditedPlace[]
}

interface FaultyPage {
  readonly source: number
  readonly anchor?: string | undefined
  readonly place?: string | undefined
}

export function findingOf(
  web: AuditedWeb,
  kind: AuditKindName,
  {
    url,
    detail,
    pages,
  }: { readonly url: string; readonly detail?: string | undefined; readonly pages: readonly FaultyPage[] },
): Finding {
  const ranked = pages.toSorted((a, b) => web.rank(b.source) - web.rank(a.source) || a.source - b.source)
  let weight = 0
  const places = ranked.map(({ source, anchor, place }) => {
    weight += web.rank(source)
    return { url: web.url(source), anchor: anchor || undefined, place: place || undefined }
  })
  return { kind, severity: auditKinds[kind].severity, url, detail, weight, pages: places }
}

/** A fault of a page itself. */
export function pageFinding(web: AuditedWeb, kind: AuditKindName, page: number, detail?: string): Finding {
  return findingOf(web, kind, { url: web.url(page), detail, pages: [{ source: page }] })
}
