/** Looks at the scripts of pages in a fetch thread. Only pages with scripts are sent on with their source. */
import type { PartReader } from '../part-reader.ts'
import { lookOf, textLength } from './evidence.ts'

export function makeReader(): PartReader {
  /** Of the response that is being read: its page follows. */
  let policies: string[] = []
  return {
    response({ headers }) {
      policies = []
      for (let i = 0; i < headers.length; i += 2)
        if (headers[i].toString('latin1').toLowerCase() === 'content-security-policy')
          policies.push(headers[i + 1].toString('latin1'))
      return undefined
    },
    page({ source, marks, links, isMade }) {
      const text = textLength(source.bytes, marks)
      if (isMade) return { scripts: { look: 'plain', text, html: noHtml, encoding: '', policies: [] } }
      const look = lookOf(source.bytes, text, links.length)
      if (look === undefined) return undefined
      return {
        scripts: { look, text, html: new Uint8Array(source.bytes), encoding: source.encoding, policies },
      }
    },
  }
}

const noHtml = new Uint8Array(0)
