/**
 * Text into HTML and SVG. All that a report shows may come from outside (names of files, of strategies, of sites), so all
 * of it goes through here, and nothing else writes a `<`.
 */

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Safe as text and as an attribute's value, in HTML and in XML, which has no room for control characters at all. */
export function escaped(text: string): string {
  return (
    text
      // Half of a surrogate pair: with the flag u a whole one is no match.
      .replaceAll(/[\uD800-\uDFFF]/gu, '\uFFFD')
      // eslint-disable-next-line no-control-regex
      .replaceAll(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\uFFFE\uFFFF]/g, '\uFFFD')
      .replaceAll(/[&<>"']/g, (char) => entities[char])
  )
}

/** A sentence: `code` in backticks, and the papers' measures with their indices. */
export function sentence(text: string): string {
  return escaped(text)
    .replaceAll(/`([^`]*)`/g, '<code>$1</code>')
    .replaceAll(/\bP_(ST|CS|BC)\b/g, 'P<sub>$1</sub>')
}

/** The same on one line of an SVG, where an index is a smaller word set lower. */
export function svgWords(text: string): string {
  return escaped(text).replaceAll(
    /\bP_(ST|CS|BC)\b/g,
    'P<tspan dy="3" font-size="75%">$1</tspan><tspan dy="-3">\u200B</tspan>',
  )
}

/** JSON that can stand inside a script element: nothing in it ends the element. */
export function scriptJson(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029')
}

/** About how wide a text is at most, without a font to ask: a report is drawn where there is none. */
export function textWidth(text: string, fontPx: number): number {
  return text.length * fontPx * 0.6
}

/** At most so many characters, the last a sign that something was cut. */
export function shortened(text: string, lengthMax: number): string {
  const chars = Array.from(text)
  return chars.length <= lengthMax ? text : `${chars.slice(0, lengthMax - 1).join('')}…`
}
