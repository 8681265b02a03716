/**
 * Normalises percent-escapes: in capitals, and only for characters that need them (RFC 3986, 6.2.2).
 */

const zero = 0x30
const nine = 0x39

const unreserved = new Uint8Array(128)
for (const char of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~') {
  unreserved[char.charCodeAt(0)] = 1
}

/** Whether the escape at this percent sign is in capitals, and for a character that needs it. */
function isCanonicalEscape(text: string, at: number): boolean {
  const value = capitalHex(text.charCodeAt(at + 1)) * 16 + capitalHex(text.charCodeAt(at + 2))
  return value >= 0x80 || (value >= 0 && unreserved[value] === 0)
}

export function withCanonicalEscapes(text: string): string {
  let spelt = ''
  let copied = 0
  // A percent sign without an escape must not form one when the following escape becomes a digit.
  let bare = -3
  for (let at = text.indexOf('%'); at >= 0; at = text.indexOf('%', at + 1)) {
    const value = anyHex(text.charCodeAt(at + 1)) * 16 + anyHex(text.charCodeAt(at + 2))
    if (!(value >= 0)) bare = at
    if (!(value >= 0) || isCanonicalEscape(text, at)) continue
    spelt += text.slice(copied, at)
    const isPlain = unreserved[value] === 1 && at - bare > 2
    spelt += isPlain ? String.fromCharCode(value) : text.slice(at, at + 3).toUpperCase()
    copied = at + 3
  }
  return copied === 0 ? text : spelt + text.slice(copied)
}

/** The value of a hexadecimal digit, or a number so far below zero that any sum with it is negative. */
function capitalHex(code: number): number {
  if (code >= zero && code <= nine) return code - zero
  return code >= 0x41 && code <= 0x46 ? code - 0x37 : -1000
}

function anyHex(code: number): number {
  return code >= 0x61 && code <= 0x66 ? code - 0x57 : capitalHex(code)
}
