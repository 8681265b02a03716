/**
 * White space and lists in header values (RFC 9110, 5.6). HTTP's white space is space and tab alone: `trim()` and `\s` would also remove
 * a no-break space, which other software takes for part of the value.
 */

/** Without the spaces and tabs around it. */
export function withoutSpace(text: string): string {
  let from = 0
  let to = text.length
  while (from < to && isSpace(text.charCodeAt(from))) from++
  while (to > from && isSpace(text.charCodeAt(to - 1))) to--
  return text.slice(from, to)
}

/** The elements of a comma-separated list. Empty ones are ignored (5.6.1). */
export function listElements(list: string): string[] {
  return list
    .split(',')
    .map(withoutSpace)
    .filter((element) => element !== '')
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09
}
