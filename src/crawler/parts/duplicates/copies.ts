/**
 * Whether a page repeats an earlier one, and whether its links are followed.
 *
 * The same bytes at another URL resolve to other links, so a copy is judged by its body *and* by the set of
 * its resolved links. The record always names the first page with the same body (`duplicateOf`): identical
 * payloads are archived once. Following is a separate decision, because a copy may be the only way to pages
 * of its own host (mirrors, a shared meta refresh, framesets):
 *
 *   seed                                                  followed
 *   first page of its site with this body                 followed
 *   copy within its site, found on a page that is none    followed
 *   copy within its site, found on such a copy            followed while the site's allowance lasts (content-seen.ts)
 *
 * The last line limits traps. Absolute links of identical bytes are the same everywhere, so only relative
 * links of a copy are new, and they stay on its origin. A site that serves the same bytes under ever longer
 * paths (a/, a/a/, a/a/a/ …) therefore has copies on copies. They are followed once per original page of the
 * site, and a few times more; then its copies lead to known pages only. So the copies followed are linear in
 * the links of originals, also with `--no-traps`. Endless originals are left to trap detection.
 */
import type { ContentSeen } from './content-seen.ts'
import { linkPrint, noCopy, type CopyOf, type LinkPrint } from '../../world/copy.ts'
import type { FetchResult } from '../../world/fetch-result.ts'
import type { NearSeen } from './near-seen.ts'
import { hopsMax } from '../../world/redirect-chains.ts'

/** Records of fetched pages. */
interface CopyRecords {
  siteOf(page: number): number
  /** The page that it was found on; undefined for a seed. */
  parentOf(page: number): number | undefined
  isRedirect(page: number): boolean
  isSiteCopy(page: number): boolean
  linkPrint(page: number): LinkPrint | undefined
}

export class Copies {
  readonly #content: ContentSeen
  readonly #near: NearSeen | undefined
  readonly #records: CopyRecords

  /** `near`: undefined disables the search for near-duplicates. */
  constructor(content: ContentSeen, near: NearSeen | undefined, records: CopyRecords) {
    this.#content = content
    this.#near = near
    this.#records = records
  }

  /** Compares a page with all earlier ones, and records a new body or text. */
  look(page: number, result: FetchResult): CopyOf {
    const { bodyLow, bodyHigh, textLow, textHigh, location } = result
    // The body of a redirect is the same for all redirects of a server.
    const sameBody = location === undefined ? this.#content.body(page, result.site, bodyLow, bodyHigh) : -1
    const sameText = this.#content.text(page, textLow, textHigh)
    if (sameBody >= 0) return this.#sameBody(page, result, sameBody)
    if (sameText >= 0) {
      return { duplicateOf: sameText, sameText: true, sameLinks: this.#isSameLinks(result, sameText) }
    }
    if (this.#near === undefined || result.sketch === undefined) return noCopy
    const nearDuplicateOf = this.#near.first(page, result.sketch)
    if (nearDuplicateOf < 0) return noCopy
    return { nearDuplicateOf, similarity: Number(this.#near.similarity.toFixed(3)) }
  }

  #sameBody(page: number, result: FetchResult, duplicateOf: number): CopyOf {
    const { site, bodyLow, bodyHigh } = result
    const isOwn = this.#records.siteOf(duplicateOf) === site
    const siteOriginal = isOwn ? duplicateOf : this.#content.siteBody(page, site, bodyLow, bodyHigh)
    if (siteOriginal < 0) return { duplicateOf, sameLinks: this.#isSameLinks(result, duplicateOf) }
    const sameLinks = this.#isSameLinks(result, siteOriginal)
    const copy = { duplicateOf, siteOriginal, sameLinks }
    if (sameLinks || !this.#isOnCopy(page, site)) return copy
    return { ...copy, copyOnCopy: this.#content.spendAllowance(site) ? 'followed' : 'known' }
  }

  #isSameLinks(result: FetchResult, original: number): boolean {
    const [low, high] = linkPrint(result)
    const other = this.#records.linkPrint(original)
    return other !== undefined && other[0] === low && other[1] === high
  }

  /** Whether it was found on a copy within its site, directly or by redirects. */
  #isOnCopy(page: number, site: number): boolean {
    const records = this.#records
    let at = records.parentOf(page)
    for (let hops = 0; at !== undefined && hops <= hopsMax && records.isRedirect(at); hops++) {
      at = records.parentOf(at)
    }
    return at !== undefined && records.isSiteCopy(at) && records.siteOf(at) === site
  }
}
