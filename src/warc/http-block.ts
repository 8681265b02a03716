/**
 * An HTTP message as a WARC block. The client has taken the transfer coding off the body already, so the stored headers
 * must not promise one: Transfer-Encoding, and a Content-Length that is not the body's, are kept under other names.
 * The content coding stays on. A response head that arrived as bytes keeps every other byte, faults included. Other
 * header text is checked: what would break a line is made a space.
 */
export interface HttpMessage {
  /** `HTTP/1.1 200 OK` or `GET /path HTTP/1.1`. */
  readonly startLine: string
  /** Names and values as they came, in their order; one byte a character. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** The start line, the headers and the empty line as they arrived; undefined: they are written from the above. */
  readonly head?: Buffer | undefined
  readonly body: Uint8Array
}

/** Start line, headers and the empty line after them. `whole`: is the body all that the server had to send? */
export function httpHead({ startLine, headers, head, body }: HttpMessage, whole = true): Buffer {
  if (head !== undefined) return receivedHead(head, body.length, whole)
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

/** Renames the headers that no longer frame the body, and adds its length; all other bytes stay. */
function receivedHead(head: Buffer, bodyBytes: number, whole: boolean): Buffer {
  // Empty lines before the status line would end the head for every reader.
  const text = head.toString('latin1').replace(/^[\r\n]+/, '')
  const lines = text.match(/[^\n]*\n/g) ?? []
  const last = lines.length - 1
  let hasLength = false
  const kept = lines.map((line, i) => {
    const [, name = '', value = ''] = /^([^\s:]+)[\t ]*:([^]*)$/.exec(line) ?? []
    const lower = name.toLowerCase()
    const isLength = lower === 'content-length'
    const isFolded = /^[\t ]/.test(lines[i + 1] ?? '')
    const isRight = isLength && !hasLength && !isFolded && value.trim() === String(bodyBytes)
    if (isRight || (isLength && !whole)) hasLength = true
    const isWrong = lower === 'transfer-encoding' || (isLength && whole && !isRight)
    return isWrong ? `X-Archive-Orig-${line}` : line
  })
  if (!hasLength && whole) kept.splice(last, 0, `Content-Length: ${bodyBytes}\r\n`)
  return Buffer.from(kept.join(''), 'latin1')
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
