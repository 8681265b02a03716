/** `sha1:` digests in base32, as every WARC tool writes them. */
import { createHash } from 'node:crypto'
import { base32 } from '../lib/base32.ts'

export function sha1Digest(...parts: Uint8Array[]): string {
  const hash = createHash('sha1')
  for (const part of parts) hash.update(part)
  return `sha1:${base32(hash.digest())}`
}
