/** Reports the cookies that responses set, in a fetch thread. */
import { setCookieLines } from '../../../web/http/response-headers.ts'
import type { PartReader } from '../part-reader.ts'

export function makeReader(): PartReader {
  return {
    response({ url, headers }) {
      const lines = setCookieLines(headers)
      return lines.length === 0 ? undefined : { setCookies: { url, lines } }
    },
  }
}
