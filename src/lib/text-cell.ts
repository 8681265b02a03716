/**
 * Text cells of TSV and CSV tables. Titles and URLs come from the web, and spreadsheets execute cells that
 * begin like a formula. Such a text gets a leading apostrophe, which spreadsheets read as "this is text".
 * Control characters are escaped. docs/reference/crawl-output.md has the rules for readers.
 */

const named: Readonly<Record<string, string>> = { '\t': '\\t', '\n': '\\n', '\r': '\\r', '\\': '\\\\' }

/**
 * Reversible: remove one leading apostrophe before `'…=+-@`, then undo the escapes. With `raw`, only the
 * escapes that a line of cells needs.
 */
export function tsvCell(text: string, raw: boolean): string {
  if (raw) return text.replaceAll(/[\t\n\r\\]/g, (char) => named[char])
  return guarded(text.replaceAll(/[\p{Cc}\\]/gu, (char) => named[char] ?? codeOf(char)))
}

/** RFC 4180: line ends and tabs are kept inside quotes. With `raw`, quotes only. */
export function csvCell(text: string, raw: boolean): string {
  // Half a surrogate pair cannot be encoded in UTF-8.
  const whole = text.replaceAll(/[\uD800-\uDFFF]/gu, '\uFFFD')
  const cell = raw ? whole : guarded(whole.replaceAll(/(?![\t\n\r])\p{Cc}/gu, codeOf))
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}

/** A text that already has apostrophes before a formula gets one more, so that removing one restores it. */
function guarded(text: string): string {
  return /^'*[=+\-@\t\r\n]/.test(text) ? `'${text}` : text
}

function codeOf(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`
}
