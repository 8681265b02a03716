/**
 * The encodings of the web, by @exodus/bytes. Its 50 modules take 27 ms to load: they are loaded with the first page or
 * style sheet that needs them, which those in UTF-8 do not.
 */
import { createRequire } from 'node:module'
import type * as Encoding from '@exodus/bytes/encoding.js'
import type * as Whatwg from '@exodus/bytes/whatwg.js'
import type { Decoder } from './encoded-text.ts'

const load = createRequire(import.meta.url)
let encodings: typeof Encoding | undefined
let whatwg: typeof Whatwg | undefined

/** The encoding with this label; null if there is none. */
export function normalizeEncoding(label: string): string | null {
  if (/^utf-?8$/i.test(label)) return 'utf-8'
  return loaded().normalizeEncoding(label)
}

export function textDecoder(encoding: string, options: { readonly ignoreBOM?: boolean } = {}): Decoder {
  return encoding === 'utf-8'
    ? new TextDecoder(encoding, options)
    : new (loaded().TextDecoder)(encoding, options)
}

/** The text in this encoding, with the bytes of these characters and of all that is not printable ASCII as `%XX`. */
export function percentEncoded(encoding: string, text: string, encoded: string): string {
  // Without these, it has no East Asian encodings.
  loaded()
  whatwg ??= load('@exodus/bytes/whatwg.js') as typeof Whatwg
  return whatwg.percentEncodeAfterEncoding(encoding, text, encoded)
}

function loaded(): typeof Encoding {
  return (encodings ??= load('@exodus/bytes/encoding.js') as typeof Encoding)
}
