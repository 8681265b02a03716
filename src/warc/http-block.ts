/**
 * An HTTP message as a WARC block. The client has taken the transfer coding off the body already, so the stored headers
 * must not promise one: Transfer-Encoding, and a Content-Length that is not the body's, are kept under other names.
 * The content coding stays on. Header text is a hostile server's: what would break a line is made a space.
 */
export interface HttpMessage {
  /** `HTTP/1.1 200 OK` or `GET /path HTTP/1.1`. */
  readonly startLine: string
  /** Names and values as they came, in their order; one byte a character. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Uint8Array
}

/** Start line, headers and the empty line after them. `whole`: is the body all that the server had to send? */
export function httpHead({ startLine, headers, body }: HttpMessage, whole = true): Buffer {
  let text = `${oneLine(startLine)}\r\n`
  let hasLength = false
  for (const [name, value] of headers) {
    const lower = name.toLowerCase()
    const unchunked = lower === 'transfer-encoding'
    const wrongLength = lower === 'content-length' && whole && value.trim() !== String(body.length)
    if (lower === 'content-length' && !wrongLength) hasLength = true
    text += `${unchunked || wrongLength ? 'X-Archive-Orig-' : ''}${token(name)}: ${oneLine(value)}\r\n`
  }
  if (!hasLength && whole && isResponse(startLine)) text += `Content-Length: ${body.length}\r\n`
  return Buffer.from(`${text}\r\n`, 'latin1')
}

const isResponse = (startLine: string): boolean => startLine.startsWith('HTTP/')

function oneLine(text: string): string {
  // oxlint-disable-next-line no-control-regex -- these are what is to be kept out
  return text.replace(/[\0-\x08\x0a-\x1f\x7f]+/g, ' ').trim()
}

/** A header's name by RFC 9110; what is not allowed in one becomes a dash. */
function token(name: string): string {
  return name.replace(/[^!#$%&'*+.^_`|~0-9A-Za-z-]/g, '-') || '-'
}
