/** `sha1:` digests in base32, as every WARC tool writes them. */
import { createHash } from 'node:crypto'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

export function sha1Digest(...parts: Uint8Array[]): string {
  const hash = createHash('sha1')
  for (const part of parts) hash.update(part)
  return `sha1:${base32(hash.digest())}`
}

/** RFC 4648; a SHA-1 needs no padding. */
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
