/** Reads the requisites of pages and style sheets in a fetch thread. */
import { essence } from '../../../web/http/html-type.ts'
import type { PartReader } from '../part-reader.ts'
import { pageRequisites, styleRequisites } from './page-requisites.ts'
import { styleText } from './style-text.ts'

export function makeReader(): PartReader {
  return {
    page({ url, source }) {
      const { urls } = pageRequisites(source.text, url, source.encoding)
      return urls.length === 0 ? undefined : { requisites: urls.join('\n') }
    },
    /** Style sheets name further requisites. */
    side({ url, contentType, body }) {
      if (essence(contentType) !== 'text/css') return undefined
      return { requisites: styleRequisites(styleText(body, contentType), url).urls.join('\n') }
    },
  }
}
