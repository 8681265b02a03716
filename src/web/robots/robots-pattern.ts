/**
 * One path pattern of robots.txt (RFC 9309, 2.2.2 and 2.2.3): a prefix in which `*` stands for any characters
 * and a final `$` for the end of the path.
 *
 * Both sides are normalised first. Bytes outside printable ASCII and characters that no URL may contain
 * become %XX, escapes are in capitals, and the escape of an unreserved character (RFC 3986) becomes the
 * character. Of the reserved ones, those of the pattern's own syntax are escaped on both sides where they are
 * meant literally; the others stay as they are, since `/` and `%2F` are two things.
 *
 *     /a%3cd  /a<d        ->  /a%3Cd           /caf\xc3\xa9   ->  /caf%C3%A9
 *     /%7ejoe             ->  /~joe            /a*b (a path)  ->  /a%2Ab
 *
 * A pattern is split at its stars. Its first piece must start the path, and each next piece is matched where
 * it first occurs after the previous one: with only stars between the pieces, the earliest position is never
 * wrong. So there is no backtracking, and `/*a*a*a*…` costs one pass over the path.
 */
export interface RobotsPattern {
  readonly pieces: readonly string[]
  readonly anchored: boolean
  /** How specific the pattern is: its octets in normalised form, with `*` and `$`. */
  readonly octets: number
}

const percent = 0x25

/** The replacement of an unescaped character (`escaped`), and of its escape (`kept`). */
const escaped = new Uint8Array(256).fill(1)
const kept = new Uint8Array(256).fill(1)
for (let code = 0x21; code < 0x7f; code++) escaped[code] = kept[code] = 0
for (const char of '"<>\\^`{|}%') escaped[char.charCodeAt(0)] = kept[char.charCodeAt(0)] = 1
for (const char of ":/?#[]@!$&'()*+,;=") kept[char.charCodeAt(0)] = 1
for (const char of '*$') escaped[char.charCodeAt(0)] = 1

const spelling = Array.from(
  { length: 256 },
  (_, code) => `%${code.toString(16).toUpperCase().padStart(2, '0')}`,
)

/** Parses a pattern as written in the file, one character per byte. */
export function readPattern(bytes: string): RobotsPattern {
  const anchored = bytes.endsWith('$')
  const cut = (anchored ? bytes.slice(0, -1) : bytes).split('*').map(commonSpelling)
  const octets = cut.reduce((sum, piece) => sum + piece.length + 1, anchored ? 0 : -1)
  // Consecutive stars match like a single one.
  const pieces = cut.filter((piece, i) => piece !== '' || i === 0 || i === cut.length - 1).map(copied)
  return { pieces, anchored, octets }
}

/** A slice would keep the whole file alive: a rule of ten bytes must not hold 500 KiB. */
function copied(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1')
}

/** The path and query of a URL, normalised like patterns; * and $ in it are ordinary characters. */
export function readPath(pathAndQuery: string): string {
  if (isCommonSpelling(pathAndQuery)) return pathAndQuery
  return commonSpelling(Buffer.from(pathAndQuery, 'utf8').toString('latin1'))
}

/** Whether the pattern matches a path from `readPath`. */
export function matches({ pieces, anchored }: RobotsPattern, path: string): boolean {
  if (!path.startsWith(pieces[0])) return false
  const last = pieces.length - 1
  let at = pieces[0].length
  if (last === 0) return !anchored || at === path.length
  const inner = anchored ? last : last + 1
  for (let i = 1; i < inner; i++) {
    const found = path.indexOf(pieces[i], at)
    if (found < 0) return false
    at = found + pieces[i].length
  }
  return !anchored || (path.length - pieces[last].length >= at && path.endsWith(pieces[last]))
}

/** Most paths of a crawl are normalised already: one pass over the characters, and no allocation. */
function isCommonSpelling(path: string): boolean {
  for (let i = 0; i < path.length; i++) {
    const code = path.charCodeAt(i)
    if (code > 0x7e || escaped[code] === 1) return false
  }
  return true
}

function commonSpelling(bytes: string): string {
  if (isCommonSpelling(bytes)) return bytes
  let spelt = ''
  for (let i = 0; i < bytes.length; i++) {
    let code = bytes.charCodeAt(i)
    if (code === percent) {
      const value = hexAt(bytes, i + 1) * 16 + hexAt(bytes, i + 2)
      if (value >= 0) {
        spelt += kept[value] === 1 ? spelling[value] : String.fromCharCode(value)
        i += 2
        continue
      }
    }
    code &= 0xff
    spelt += escaped[code] === 1 ? spelling[code] : String.fromCharCode(code)
  }
  return spelt
}

/** The hexadecimal digit here, or a number so far below zero that any sum with it is negative. */
function hexAt(text: string, at: number): number {
  const code = text.charCodeAt(at)
  if (code >= 0x30 && code <= 0x39) return code - 0x30
  const letter = code | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1000
}
