/** The URLs of a simulated web in shared memory: bytes, and the offset of each. */
import { sharedFloat64, sharedUint8 } from '../lib/shared-memory.ts'

export interface SharedUrls {
  readonly bytes: Uint8Array<SharedArrayBuffer>
  /** One more than there are pages: the last is the end. */
  readonly starts: Float64Array<SharedArrayBuffer>
}

export function sharedUrls(pages: number, url: (page: number) => Uint8Array): SharedUrls {
  const starts = sharedFloat64(pages + 1)
  for (let page = 0; page < pages; page++) starts[page + 1] = starts[page] + url(page).length
  const bytes = sharedUint8(starts[pages])
  for (let page = 0; page < pages; page++) bytes.set(url(page), starts[page])
  return { bytes, starts }
}

export function urlAt({ bytes, starts }: SharedUrls, page: number): string {
  return Buffer.from(bytes.buffer, starts[page], starts[page + 1] - starts[page]).toString()
}
