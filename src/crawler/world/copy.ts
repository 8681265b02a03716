/** Whether a fetched page repeats an earlier one, as its outcome states it. */
import type { DecidedFrom } from '../page-fields.ts'
import type { LinkList } from './fetch-result.ts'

/** The page that a page duplicates, and the consequences. */
export interface CopyOf extends DecidedFrom<'copies'> {}

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
