/** Links to addresses from the web. */
import { tag, type Tag } from './tags.ts'

export interface Link {
  readonly href: string
  /** As displayed. */
  readonly text: string
}

const addressMax = 2048

/** True if the address may be linked: http or https, and not absurdly long. Others could run a script. */
function isLinkable(href: string): boolean {
  return /^https?:\/\/[^\s/]/i.test(href) && href.length <= addressMax
}

/** A link without a referrer; text only if the address may not be linked. */
export function linkTag({ href, text }: Link): Tag {
  // Addresses have no spaces, so they may break anywhere rather than stretch the page.
  const shown = tag('span', { class: 'address' }, text)
  return isLinkable(href) ? tag('a', { href, rel: 'noreferrer noopener nofollow' }, shown) : shown
}
