/**
 * Whether a look at a held page shows a change. A change is one of content, not of bytes: dates, tokens and
 * advertisements in the markup change at every look.
 *
 *   full response       compared by its fingerprints, whatever ETag and Last-Modified say
 *   304                 same
 *   redirect            changed, unless the previous look was redirected to the same URL
 *   404                 missing
 *   410                 gone
 *   anything else       none: a failure says nothing about the page
 */
import type { Verdict } from '../../../engine/recrawl-policy.ts'

/** What a look at a held page can show about it. */
export type PageVerdict = Extract<Verdict, 'changed' | 'same' | 'missing' | 'gone'>

/**
 * What counts as a change: the visible text or the set of links, only one of them, or any byte of the body.
 */
export const changeRules = ['content', 'text', 'links', 'bytes'] as const
export type ChangeRule = (typeof changeRules)[number]

/** The fingerprints of a response: two words each of body, text and set of links. 0, 0: it has none. */
type Prints = Uint32Array

/** What a look found. */
export interface Found {
  /** 0: no response, or one that broke off. */
  readonly status: number
  /** The target of a redirect. */
  readonly location?: string | undefined
  readonly prints?: Prints | undefined
}

const bodyAt = 0
const textAt = 2
const linksAt = 4

/** The verdict of a look, or undefined if it says nothing about the page. */
export function changeVerdict(
  before: Found,
  now: Found & { readonly isConditional: boolean },
  rule: ChangeRule = 'content',
): PageVerdict | undefined {
  const { status, location } = now
  // Without a condition, a 304 is a fault of the server.
  if (status === 304) return now.isConditional ? 'same' : undefined
  if (status === 404) return 'missing'
  if (status === 410) return 'gone'
  // A part of a page says nothing about the whole.
  const isWhole = status >= 200 && status <= 299 && status !== 206
  if (location === undefined && !isWhole) return undefined
  return isChanged(before, now, rule) ? 'changed' : 'same'
}

function isChanged(before: Found, now: Found, rule: ChangeRule): boolean {
  if (before.location !== undefined || now.location !== undefined) return before.location !== now.location
  // An empty body has no fingerprints.
  if (before.prints === undefined || now.prints === undefined) return before.prints !== now.prints
  return isOtherBy[rule](before.prints, now.prints)
}

/** Did any byte of the body change? Without fingerprints it is empty. */
export function isOtherBody(before: Prints | undefined, now: Prints | undefined): boolean {
  if (before === undefined || now === undefined) return before !== now
  return differs(before, now, bodyAt)
}

const isOtherBy: Readonly<Record<ChangeRule, (before: Prints, now: Prints) => boolean>> = {
  content: (before, now) => isOtherText(before, now) || differs(before, now, linksAt),
  text: isOtherText,
  links: (before, now) => differs(before, now, linksAt),
  bytes: (before, now) => differs(before, now, bodyAt),
}

/** A response without text, such as an image, is compared by its bytes. */
function isOtherText(before: Prints, now: Prints): boolean {
  const isTextless = isNone(before, textAt) && isNone(now, textAt)
  return differs(before, now, isTextless ? bodyAt : textAt)
}

function differs(before: Prints, now: Prints, at: number): boolean {
  return before[at] !== now[at] || before[at + 1] !== now[at + 1]
}

function isNone(prints: Prints, at: number): boolean {
  return prints[at] === 0 && prints[at + 1] === 0
}
