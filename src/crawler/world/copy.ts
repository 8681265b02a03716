/** Whether a fetched page repeats an earlier one, as its outcome states it. */
import type { LinkList } from './fetch-result.ts'

/** The page that a page duplicates, and the consequences. */
export interface CopyOf {
  /** The first page with the same body or text. */
  readonly duplicateOf?: number | undefined
  /** True if only the text is the same. */
  readonly sameText?: boolean | undefined
  /** The first page of its own site with the same body. */
  readonly siteOriginal?: number | undefined
  /** True if it links to the same pages as `siteOriginal`, else `duplicateOf`. */
  readonly sameLinks?: boolean | undefined
  /**
   * Set for a copy within its site that was found on another such copy. `known`: links to unknown pages are
   * not followed.
   */
  readonly copyOnCopy?: 'followed' | 'known' | undefined
  /** Without the same body or text: an earlier page with nearly the same text, and how similar it is. */
  readonly nearDuplicateOf?: number | undefined
  readonly similarity?: number | undefined
}

/** A page that duplicates no other. */
export const noCopy: CopyOf = {}

/** Two words that represent the set of a page's links. */
export type LinkPrint = readonly [low: number, high: number]

/** Whether it has the body of an earlier page. */
export function isSameBody({ duplicateOf, sameText }: CopyOf): boolean {
  return duplicateOf !== undefined && sameText !== true
}

/** Whether it duplicates no other page, not even nearly. */
export function isOriginal({ duplicateOf, nearDuplicateOf }: CopyOf): boolean {
  return duplicateOf === undefined && nearDuplicateOf === undefined
}

/** Whether its links to unknown pages are followed. */
export function leadsOn({ copyOnCopy }: CopyOf): boolean {
  return copyOnCopy !== 'known'
}

/** The fingerprint of the set of links. */
export function linkPrint({ linksLow, linksHigh }: LinkList): LinkPrint {
  return [linksLow, linksHigh]
}
