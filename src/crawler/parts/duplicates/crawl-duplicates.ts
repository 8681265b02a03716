/** Compares the pages of a crawl with those before them. Its state follows from recorded outcomes. */
import type { StateCodec } from '../../../lib/state.ts'
import { siteOf } from '../../../web/url/site.ts'
import type { OutcomeRecord } from '../../record/outcome-record.ts'
import type { PartState, RememberedCrawl } from '../part-state.ts'
import type { OpenedCrawl, OpenedPart } from '../running-part.ts'
import { ContentSeen } from './content-seen.ts'
import { Copies } from './copies.ts'
import { NearSeen } from './near-seen.ts'

interface DuplicateState extends PartState {
  readonly content: ContentSeen
  /** Undefined disables the search for near-duplicates. */
  readonly near: NearSeen | undefined
}

export function remember({ settings: { nearDuplicates }, record, pages }: RememberedCrawl): DuplicateState {
  const content = new ContentSeen()
  const near = nearDuplicates === undefined ? undefined : new NearSeen(nearDuplicates)
  const restore = (page: number): void => {
    const outcome = record.outcome(page)
    if (outcome === undefined) return
    restoreContent(content, page, pages.found(page).site, outcome)
    if (outcome.sketch !== undefined) near?.add(page, outcome.sketch)
  }
  return {
    content,
    near,
    facts: {
      fetched: restore,
      looked(page, _seconds, verdict) {
        if (verdict === 'changed') restore(page)
      },
    },
    transfer(codec: StateCodec) {
      content.transfer(codec)
      near?.transfer(codec)
    },
    get byteLength() {
      return content.byteLength + (near?.byteLength ?? 0)
    },
  }
}

export function open({ state, pages, sites, fetched }: OpenedCrawl): OpenedPart {
  const { content, near } = state as DuplicateState
  const copies = new Copies(content, near, {
    siteOf: (page) => sites.numberOf(siteOf(pages.url(page)) ?? ''),
    parentOf: (page) => pages.found(page).parent,
    isRedirect: (page) => fetched.isRedirect(page),
    isSiteCopy: (page) => fetched.isSiteCopy(page),
    linkPrint: (page) => fetched.linkPrint(page),
  })
  return { begin: () => ({ copyOf: (page, result) => copies.look(page, result) }) }
}

/** As in copies.ts: only pages without an error are compared. */
function restoreContent(content: ContentSeen, page: number, site: number, record: OutcomeRecord): void {
  const { prints, duplicateOf, sameText, siteOriginal, copyOnCopy, error } = record
  if (copyOnCopy === 'followed') content.spendAllowance(site)
  if (prints === undefined || error !== undefined) return
  const [bodyLow, bodyHigh, textLow, textHigh] = prints
  if (duplicateOf === undefined || sameText === true) content.body(page, site, bodyLow, bodyHigh)
  else if (siteOriginal === undefined) content.siteBody(page, site, bodyLow, bodyHigh)
  if (duplicateOf === undefined) content.text(page, textLow, textHigh)
}
