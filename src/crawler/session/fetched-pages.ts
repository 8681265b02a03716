/** Records of fetched pages, for comparison with later pages. */
import { isSameBody, type LinkPrint } from '../world/copy.ts'
import type { HeldPage } from '../world/looks/page-looks.ts'
import type { Validator } from '../world/looks/validators.ts'
import type { ArchivedPage } from '../world/messages.ts'
import type { PageTable } from '../world/page-table.ts'
import type { PageRecords } from '../world/real-world-options.ts'
import type { CanonicalRules } from '../../web/url/canonical-rules.ts'
import { canonicalUrl } from '../../web/url/canonical-url.ts'
import { isAbsent, isAnswer, type LookRecord } from '../record/look-record.ts'
import type { OutcomeRecord } from '../record/outcome-record.ts'
import type { RecordWriter } from '../record/record-writer.ts'

export class FetchedPages implements PageRecords {
  readonly #record: RecordWriter
  readonly #pages: PageTable
  readonly #rules: CanonicalRules

  constructor(record: RecordWriter, pages: PageTable, rules: CanonicalRules) {
    this.#record = record
    this.#pages = pages
    this.#rules = rules
  }

  /**
   * The WARC record with the payload of a page. That of a copy is a revisit of its original, and readers do not follow revisits of
   * revisits.
   */
  archived(page: number): ArchivedPage | undefined {
    const outcome = this.#record.outcome(page)
    const own = this.#written(page, outcome)
    if (outcome?.duplicateOf === undefined || !isSameBody(outcome)) return own
    const original = this.#written(outcome.duplicateOf, this.#record.outcome(outcome.duplicateOf))
    return original?.payloadDigest === own?.payloadDigest ? original : own
  }

  #written(page: number, outcome: OutcomeRecord | undefined): ArchivedPage | undefined {
    if (outcome?.warc === undefined) return undefined
    const { id, payloadDigest } = outcome.warc
    return { id, url: this.#pages.url(page), dateMs: outcome.startMs, payloadDigest }
  }

  /** A page that was fetched before. */
  held(page: number): HeldPage {
    const version: Partial<OutcomeRecord> = this.#record.outcome(page) ?? {}
    const look: Partial<LookRecord> = this.#record.lastLook(page) ?? {}
    const { status = 0, location, prints } = version
    const { etag, lastModified } = look
    return {
      status,
      location,
      prints,
      validator: validatorAfter(look, version),
      later: { etag, lastModified },
      observedMs: look.observedMs ?? look.startMs ?? version.startMs ?? 0,
      isMissing: this.#isMissing(page, this.#record.lastLook(page)),
    }
  }

  /** A failed look says nothing, so the one before it counts. */
  #isMissing(page: number, last: LookRecord | undefined): boolean {
    const look = last === undefined || isAnswer(last) ? last : this.#record.lastAnswer(page)
    return look !== undefined && isAbsent(look)
  }

  isRedirect(page: number): boolean {
    return this.#record.outcome(page)?.location !== undefined
  }

  redirectTarget(page: number): number {
    const location = this.#record.outcome(page)?.location
    return location === undefined ? -1 : this.targetOf(location)
  }

  targetOf(location: string): number {
    const url = canonicalUrl(location, undefined, this.#rules)
    return url === undefined ? -1 : this.#pages.findUrl(url)
  }

  isSiteCopy(page: number): boolean {
    return this.#record.outcome(page)?.siteOriginal !== undefined
  }

  linkPrint(page: number): LinkPrint | undefined {
    const prints = this.#record.outcome(page)?.prints
    return prints?.length === 6 ? [prints[4], prints[5]] : undefined
  }
}

/** The validators of a page after a look. Those of the look are recorded only if they differ from those of its version. */
export function validatorAfter(
  { etag, lastModified }: Validator = {},
  version: Validator | undefined,
): Validator {
  return { etag: etag ?? version?.etag, lastModified: lastModified ?? version?.lastModified }
}
