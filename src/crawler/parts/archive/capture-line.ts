/** The line of the index for a response, from the response itself. */
import { cdxjLine } from '../../../web/warc/cdxj.ts'
import type { WarcRecord } from '../../../web/warc/warc-record.ts'
import { essence } from '../../../web/http/html-type.ts'
import { readHead } from '../../../web/http/response-head.ts'
import { ResponseHeaders } from '../../../web/http/response-headers.ts'

export function isCapture({ type }: WarcRecord): boolean {
  return type === 'response' || type === 'revisit'
}

/** Undefined if the record is not a response that a crawl would archive. */
export function captureLine(record: WarcRecord, filename: string): string | undefined {
  const head = readHead(headOf(record.block))
  const url = record.targetUri
  if (typeof head === 'string' || url === undefined) return undefined
  const isRevisit = record.type === 'revisit'
  return cdxjLine({
    url,
    dateMs: Date.parse(record.field('WARC-Date') ?? ''),
    mime: isRevisit ? 'warc/revisit' : essence(new ResponseHeaders(head.headers).contentType) || 'unk',
    status: head.status,
    digest: record.field('WARC-Payload-Digest'),
    length: record.length,
    offset: record.offset,
    filename,
  })
}

/** Up to the first empty line, which is after the status line. */
function headOf(block: Buffer): Buffer {
  for (let at = block.indexOf(lineFeed); at >= 0; at = block.indexOf(lineFeed, at + 1)) {
    if (block[at + 1] === lineFeed) return block.subarray(0, at + 2)
    if (block[at + 1] === carriageReturn && block[at + 2] === lineFeed) return block.subarray(0, at + 3)
  }
  return block
}

const lineFeed = 0x0a
const carriageReturn = 0x0d
