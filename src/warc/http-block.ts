/**
 * An HTTP message as a WARC block. The client has already removed the transfer coding from the body, so the
 * stored headers must not declare one: Transfer-Encoding, and a Content-Length that does not match the body,
 * are stored under other names. The content encoding is kept. A response head received as bytes keeps all
 * other bytes, including faults. Other header text is sanitised: characters that would break a line become
 * spaces.
 */
export interface HttpMessage {
  /** `HTTP/1.1 200 OK` or `GET /path HTTP/1.1`. */
  readonly startLine: string
  /** Names and values as received, in order; one byte per character. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  /**
   * The start line, the headers and the empty line as received; undefined: they are generated from the fields
   * above.
   */
  readonly head?: Buffer | undefined
  readonly body: Uint8Array
}

/** Start line, headers and the empty line after them. `whole`: whether the body is complete. */
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

/** Renames the headers that no longer frame the body, and adds its length; all other bytes are unchanged. */
function receivedHead(head: Buffer, bodyBytes: number, whole: boolean): Buffer {
  // Leading empty lines would end the head for any reader.
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
  // oxlint-disable-next-line no-control-regex -- control characters must be replaced
  return text.replace(/[\0-\x08\x0a-\x1f\x7f]+/g, ' ').trim()
}

/** Makes a valid header name by RFC 9110; other characters become dashes. */
function token(name: string): string {
  return name.replace(/[^!#$%&'*+.^_`|~0-9A-Za-z-]/g, '-') || '-'
}
