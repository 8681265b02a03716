/**
 * Text cells of TSV and CSV tables. Titles and URLs come from the web, and a spreadsheet runs a cell that begins like a
 * formula; so such a text gets an apostrophe in front, the sign by which spreadsheets know a text. Control characters
 * are written as escapes. docs/crawl-output.md has the rules for readers.
 */

const named: Readonly<Record<string, string>> = { '\t': '\\t', '\n': '\\n', '\r': '\\r', '\\': '\\\\' }

/** Reversible: remove one leading apostrophe before `'…=+-@`, then undo the escapes. `raw`: no more than a line of cells needs. */
export function tsvCell(text: string, raw: boolean): string {
  if (raw) return text.replaceAll(/[\t\n\r\\]/g, (char) => named[char])
  return guarded(text.replaceAll(/[\p{Cc}\\]/gu, (char) => named[char] ?? codeOf(char)))
}

/** RFC 4180: line ends and tabs stand in quotes as they are. `raw`: quotes and nothing else. */
export function csvCell(text: string, raw: boolean): string {
  // Half a surrogate pair has no place in UTF-8.
  const whole = text.replaceAll(/[\uD800-\uDFFF]/gu, '\uFFFD')
  const cell = raw ? whole : guarded(whole.replaceAll(/(?![\t\n\r])\p{Cc}/gu, codeOf))
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}

/** A text with apostrophes before a formula gets one more, so that none is lost when one is removed. */
function guarded(text: string): string {
  return /^'*[=+\-@\t\r\n]/.test(text) ? `'${text}` : text
}

function codeOf(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`
}
