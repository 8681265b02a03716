/**
 * Audits a finished or running crawl as a site's owner would: broken links with every page that has them, redirects, titles,
 * canonical URLs, languages, sitemaps, orphans. It reads the record and the archive and sends no request, except with `external`.
 */
import { callback, checkOptions, flag, ofKind, type OptionChecks } from '../../lib/option-checks.ts'
import { plural } from '../../lib/amounts.ts'
import { silent, type Progress } from '../../lib/progress.ts'
import { whole } from '../../lib/value-kinds.ts'
import { Scope } from '../../web/url/scope.ts'
import { WholeCrawl } from '../read/whole-crawl.ts'
import { unfollowedLinksTexts } from '../wording/unfollowed-links.ts'
import { AuditedWeb, html } from './audited-web.ts'
import { checkExternal } from './external.ts'
import type { Finding } from './finding.ts'
import { auditKindNames, severities, type AuditKindName } from './kinds.ts'
import { linkFindings, redirectFindings } from './link-findings.ts'
import {
  alternateFindings,
  canonicalFindings,
  copyFindings,
  depthFindings,
  textFindings,
} from './page-findings.ts'
import { readContents, type Contents } from './read-contents.ts'
import { orphanFindings, sitemapFindings } from './sitemap-findings.ts'

export interface AuditOptions {
  /** Pages more than this many clicks from a seed are findings; default 5. */
  readonly depth?: number | undefined
  /** Request links that lead out of the crawl, politely; default false. */
  readonly external?: boolean | undefined
  readonly progress?: Progress | undefined
}

const checks: OptionChecks<AuditOptions> = { depth: ofKind(whole(0)), external: flag, progress: callback }

/** Why something was not judged. */
export interface NotChecked {
  readonly what: string
  readonly why: string
}

export interface AuditResult {
  readonly folder: string
  /** HTML pages of the crawl, and those whose content was read from the archive. */
  readonly pages: number
  readonly read: number
  readonly counts: Readonly<Partial<Record<AuditKindName, number>>>
  /** Sorted by severity, then by the PageRank that they affect. */
  readonly findings: readonly Finding[]
  readonly notChecked: readonly NotChecked[]
}

const depthDefault = 5

export async function audit(path: string, options: AuditOptions = {}): Promise<AuditResult> {
  checkOptions('audit', options, checks)
  const { depth = depthDefault, external = false, progress = silent } = options
  const crawl = WholeCrawl.open(path)
  const { options: settings } = crawl.folder.file
  const read = await crawl.read()
  try {
    const web = await AuditedWeb.read(crawl, read, progress)
    const contents = await readContents(crawl.folder, web, external, progress)
    const scope = new Scope(settings.seeds, settings.scope, settings)
    const incomplete = incompleteness(crawl)
    const outside = external ? await checkExternal(web, contents, settings, progress) : undefined
    const findings = [
      ...linkFindings(web, contents),
      ...redirectFindings(web),
      ...textFindings(web, contents),
      ...canonicalFindings(web, contents, (url) => scope.includes(url)),
      ...alternateFindings(web, contents),
      ...copyFindings(web),
      ...depthFindings(web, depth),
      ...sitemapFindings(web),
      ...(incomplete === undefined ? orphanFindings(web, contents) : []),
      ...(outside?.findings ?? []),
    ].toSorted(byGravity)
    const counts: Partial<Record<AuditKindName, number>> = {}
    for (const { kind } of findings) counts[kind] = (counts[kind] ?? 0) + 1
    const pages = web.state.reduce((sum, state) => sum + (state === html ? 1 : 0), 0)
    const isListed = web.listed.includes(1)
    const { isShared } = crawl
    const judged = outside?.judged
    const { sitemapsMissed } = web
    const notChecked = notCheckedOf({
      contents,
      pages,
      incomplete,
      isListed,
      sitemapsMissed,
      judged,
      isShared,
    })
    return { folder: path, pages, read: contents.read, counts, findings, notChecked }
  } finally {
    read.close()
  }
}

function byGravity(a: Finding, b: Finding): number {
  return (
    severities.indexOf(a.severity) - severities.indexOf(b.severity) ||
    b.weight - a.weight ||
    auditKindNames.indexOf(a.kind) - auditKindNames.indexOf(b.kind) ||
    (a.url < b.url ? -1 : a.url > b.url ? 1 : 0)
  )
}

/** Why a page that was not fetched might link to an orphan; undefined if every page of the site was fetched. */
function incompleteness({ folder, isShared }: WholeCrawl): string | undefined {
  const { totals } = folder.file
  if (isShared) return 'a crawl on a cluster does not record whether it fetched every page'
  if (totals === undefined) return 'the crawl has not ended'
  if (totals.refusedAsTraps > 0)
    return `trap detection refused ${plural(totals.refusedAsTraps, 'page')} (--no-traps)`
  if (!totals.isComplete)
    return `the crawl ended with ${plural(totals.waiting, 'page')} not fetched, or not reached`
  const notFollowed = unfollowedLinksTexts(totals.linksNotFollowed)
  return notFollowed.length === 0 ? undefined : `the crawl did not follow ${notFollowed.join(', ')}`
}

interface Checked {
  readonly contents: Contents
  readonly pages: number
  readonly incomplete: string | undefined
  readonly isListed: boolean
  readonly sitemapsMissed: number
  readonly judged: number | undefined
  readonly isShared: boolean
}

function notCheckedOf({
  contents,
  pages,
  incomplete,
  isListed,
  sitemapsMissed,
  judged,
  isShared,
}: Checked): NotChecked[] {
  const { linksOutside, linksUnchecked, read, externalUrls } = contents
  const notes: NotChecked[] = []
  const note = (isSo: boolean, what: string, why: string): void => void (isSo && notes.push({ what, why }))
  note(
    judged === undefined && linksOutside > 0,
    plural(linksOutside, 'link') + ' out of the crawl',
    '--external requests them',
  )
  note(
    judged !== undefined && judged < externalUrls.length,
    `${plural(externalUrls.length - (judged ?? 0), 'URL')} of other sites`,
    'robots.txt forbids them, or no address was found that may be requested',
  )
  note(
    linksUnchecked > 0,
    `${plural(linksUnchecked, 'link')} to pages of the crawl`,
    'these pages were not fetched',
  )
  note(
    read < pages,
    `fragments, anchors, descriptions and languages of ${plural(pages - read, 'page')}`,
    'the crawl did not archive their content',
  )
  note(
    !isListed,
    'sitemaps and orphans',
    isShared
      ? 'a crawl on a cluster does not record which pages its sitemaps list'
      : 'no sitemap was read: crawl with --sitemap',
  )
  note(
    isListed && sitemapsMissed > 0,
    'pages that sitemaps lack: inconclusive',
    `${plural(sitemapsMissed, 'sitemap')} could not be read, or only in part (at most 50,000 URLs each)`,
  )
  note(isListed && incomplete !== undefined, 'orphans: inconclusive', incomplete ?? '')
  note(true, 'what scripts add to pages', 'only the HTML that the server sent was read')
  return notes
}
