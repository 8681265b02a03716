/**
 * What the source of a page says about whether its scripts matter, for free: in a fetch thread, while the page is read.
 *
 * - No script can run: the page is what its source says. That is a proof.
 * - *Shell*: hardly any text, or an empty element for the application, with a script that fills it.
 * - *Suspicious*: scripts, and no link to follow, or the data of an application.
 * - *Plain*: scripts beside content, as on most pages.
 */
import { classes, whiteSpace } from '../../../web/html/bytes.ts'
import type { Marks } from '../../../web/html/marks.ts'

export const looks = ['plain', 'suspicious', 'shell'] as const
export type Look = (typeof looks)[number]

/** Scripts, event handlers, and frames, which may reach their page. Text that looks like one counts too. */
const running =
  /<(?:script|i?frame|object|embed)\b|srcdoc|javascript:|<\?xml-stylesheet|[\s"'/]on[a-z]{3,}\s*=/i
const others = /<(?:i?frame|object|embed)\b|srcdoc|javascript:|<\?xml-stylesheet|[\s"'/]on[a-z]{3,}\s*=/i
const scriptTag = /<script\b([^>]*)>/gi
const typeOf = /(?:^|\s)type\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/i
const executable =
  /^(?:|module|text\/javascript|application\/(?:x-)?(?:java|ecma)script|text\/(?:ecma|j|live)script|text\/(?:x-)?(?:java|ecma)script.*|importmap|speculationrules)$/i
const mount =
  /<(\w+)\b[^>]*\bid\s*=\s*["']?(?:root|app|__next|__nuxt|___gatsby|react-root|app-root|application|svelte|q-app|main-app)["']?(?:\s[^>]*)?>\s*<\/\1>|<app-root\b[^>]*>[^<]{0,100}<\/app-root>/i
const noscript = /<noscript\b[^>]*>[^]{0,300}?javascript/i
const state =
  /__NEXT_DATA__|__NUXT__|__INITIAL_STATE__|__PRELOADED_STATE__|__APOLLO_STATE__|__remixContext|__sveltekit/
const shellTextMax = 200

/** Whether the source of a page, a character for each byte, has anything that may run. */
export function canRun(html: string): boolean {
  return running.test(html)
}

/** Of a source that may run something. Undefined: a proof that no script runs. */
export function lookOf(html: string, text: number, linkCount: number): Look | undefined {
  let isAny = false
  let isExternal = false
  for (const [, attributes] of html.matchAll(scriptTag)) {
    const [, double, single, bare] = typeOf.exec(attributes) ?? []
    if (!executable.test((double ?? single ?? bare ?? '').trim())) continue
    isAny = true
    isExternal ||= /(?:^|\s)src\s*=/i.test(attributes)
  }
  if (!isAny) return others.test(withoutScripts(html)) ? 'plain' : undefined
  if (isExternal && (text < shellTextMax || mount.test(html) || noscript.test(html))) return 'shell'
  return linkCount === 0 || text < shellTextMax || state.test(html) ? 'suspicious' : 'plain'
}

/** Blocks of data may hold anything. */
function withoutScripts(html: string): string {
  return html.replace(/<script\b[^>]*>[^]*?<\/script\s*>/gi, '')
}

/** Bytes of visible text, without white space. */
export function textLength(
  source: Uint8Array,
  { texts, textsLength }: Pick<Marks, 'texts' | 'textsLength'>,
): number {
  let length = 0
  for (let range = 0; range < textsLength; range += 2) {
    const end = texts[range + 1]
    for (let at = texts[range]; at < end; at++) length += (classes[source[at]] & whiteSpace) === 0 ? 1 : 0
  }
  return length
}
