/** Texts in pictures and reports: sentences, links to addresses from the web, and what is cut to a length. */
import type { ComponentChild, VNode } from 'preact'

/** A sentence: `code` in backticks, and measures with their indices. */
export function sentence(text: string): ComponentChild[] {
  return text.split(/(`[^`]*`|\bP_(?:ST|CS|BC)\b)/).flatMap((part): ComponentChild[] => {
    if (/^`[^`]*`$/.test(part)) return [<code>{part.slice(1, -1)}</code>]
    return /^P_(?:ST|CS|BC)$/.test(part) ? ['P', <sub>{part.slice(2)}</sub>] : [part]
  })
}

/** The same on one line of an SVG, with an index as a smaller, lowered word. */
export function svgSentence(text: string): ComponentChild[] {
  return text
    .split(/\bP_(ST|CS|BC)\b/)
    .flatMap((part, i) =>
      i % 2 === 0
        ? [part]
        : ['P', <tspan {...{ dy: 3, 'font-size': '75%' }}>{part}</tspan>, <tspan dy={-3}>{'\u200B'}</tspan>],
    )
}

export interface Link {
  readonly href: string
  /** As displayed. */
  readonly text: string
}

const addressMax = 2048

/** A link without a referrer; text only if the address may not be linked: others than http and https could run a script. */
export function WebLink({ href, text }: Link): VNode {
  // Addresses have no spaces, so they may break anywhere rather than stretch the page.
  const shown = <span class="address">{text}</span>
  const isLinkable = /^https?:\/\/[^\s/]/i.test(href) && href.length <= addressMax
  if (!isLinkable) return shown
  return (
    <a href={href} rel="noreferrer noopener nofollow">
      {shown}
    </a>
  )
}

/** An upper estimate of the width of a text, since no font is available. */
export function textWidth(text: string, fontPx: number): number {
  return text.length * fontPx * 0.6
}

/** At most this many characters, with an ellipsis: untrusted text may have any length. */
export function shortened(text: string, lengthMax: number): string {
  if (text.length <= lengthMax) return text
  const chars = Array.from(text.slice(0, 2 * lengthMax + 2))
  return chars.length <= lengthMax ? text : `${chars.slice(0, lengthMax - 1).join('')}…`
}

/** Adds break opportunities to a long name, so that it fits a narrow screen. */
export function breakable(name: string): string {
  if (name.length <= 20) return name
  return name.replaceAll(/[.:/-]|[^.:/-]{16}/g, '$&\u200B').replace(/\u200B$/, '')
}
