/**
 * Escapes text for HTML and SVG. All text of a report may come from outside (names of files, strategies,
 * sites), so all of it passes through here, and no other code writes a `<`.
 */

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Safe as text and as an attribute value, in HTML and in XML, which allows no control characters. */
export function escaped(text: string): string {
  return (
    text
      // Lone surrogates: with the flag u, a pair does not match.
      .replaceAll(/[\uD800-\uDFFF]/gu, '\uFFFD')
      // eslint-disable-next-line no-control-regex
      .replaceAll(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\uFFFE\uFFFF]/g, '\uFFFD')
      .replaceAll(/[&<>"']/g, (char) => entities[char])
  )
}

/** Renders a sentence: `code` in backticks, and measures with their indices. */
export function sentence(text: string): string {
  return escaped(text)
    .replaceAll(/`([^`]*)`/g, '<code>$1</code>')
    .replaceAll(/\bP_(ST|CS|BC)\b/g, 'P<sub>$1</sub>')
}

/** The same on one line of an SVG, with an index as a smaller, lowered word. */
export function svgWords(text: string): string {
  return escaped(text).replaceAll(
    /\bP_(ST|CS|BC)\b/g,
    'P<tspan dy="3" font-size="75%">$1</tspan><tspan dy="-3">\u200B</tspan>',
  )
}

/** JSON that is safe inside a script element: nothing in it ends the element. */
export function scriptJson(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029')
}

/** An upper estimate of the width of a text, since no font is available. */
export function textWidth(text: string, fontPx: number): number {
  return text.length * fontPx * 0.6
}

/** Truncates to this many characters, with an ellipsis. */
export function shortened(text: string, lengthMax: number): string {
  const chars = Array.from(text)
  return chars.length <= lengthMax ? text : `${chars.slice(0, lengthMax - 1).join('')}…`
}
