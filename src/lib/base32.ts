/** Base32 of RFC 4648, without padding. */
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

export function base32(bytes: Uint8Array): string {
  let text = ''
  let bits = 0
  let held = 0
  for (const byte of bytes) {
    held = (held << 8) | byte
    for (bits += 8; bits >= 5; bits -= 5) text += alphabet[(held >>> (bits - 5)) & 31]
    held &= (1 << bits) - 1
  }
  return bits > 0 ? text + alphabet[(held << (5 - bits)) & 31] : text
}

/** The bytes of a text that `base32` wrote. */
export function fromBase32(text: string): Uint8Array {
  const bytes = new Uint8Array(Math.floor((text.length * 5) / 8))
  let at = 0
  let bits = 0
  let held = 0
  for (const char of text) {
    held = (held << 5) | alphabet.indexOf(char)
    bits += 5
    if (bits < 8) continue
    bits -= 8
    bytes[at++] = held >>> bits
    held &= (1 << bits) - 1
  }
  return bytes
}
