/** `sha1:` digests in base32, as every WARC tool writes them. */
import { hash } from 'node:crypto'
import { base32 } from '../../lib/base32.ts'

export function sha1Digest(bytes: Uint8Array): string {
  return `sha1:${base32(hash('sha1', bytes, 'buffer'))}`
}
