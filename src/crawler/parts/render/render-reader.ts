/** Looks at the scripts of pages in a fetch thread. Only pages with scripts are sent on with their source. */
import type { PartReader } from '../part-reader.ts'
import { canRun, lookOf, textLength } from './evidence.ts'

export function makeReader(): PartReader {
  /** Of the response that is being read: its page follows. */
  let received: readonly Buffer[] = []
  return {
    response({ headers }) {
      received = headers
      return undefined
    },
    page({ source, marks, links, isMade }) {
      if (isMade) {
        const text = textLength(source.bytes, marks)
        return { scripts: { look: 'plain', text, html: noHtml, encoding: '', policies: [] } }
      }
      const html = source.bytes.toString('latin1')
      if (!canRun(html)) return undefined
      const text = textLength(source.bytes, marks)
      const look = lookOf(html, text, links.length)
      if (look === undefined) return undefined
      const { encoding } = source
      return {
        scripts: { look, text, html: new Uint8Array(source.bytes), encoding, policies: policiesIn(received) },
      }
    },
  }
}

const noHtml = new Uint8Array(0)

/** The values of Content-Security-Policy. */
function policiesIn(headers: readonly Buffer[]): string[] {
  const policies: string[] = []
  for (let i = 0; i + 1 < headers.length; i += 2)
    if (headers[i].toString('latin1').toLowerCase() === 'content-security-policy')
      policies.push(headers[i + 1].toString('latin1'))
  return policies
}
