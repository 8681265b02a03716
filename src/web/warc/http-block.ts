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
  if (isFitting(head, bodyBytes)) return head
  // Leading empty lines would end the head for any reader.
  const text = head.toString('latin1').replace(/^[\r\n]+/, '')
  const lines = text.match(/[^\n]*\n/g) ?? []
  const last = lines.length - 1
  let hasLength = false
  const kept = lines.map((line, i) => {
    if (/^transfer-encoding[\t ]*:/i.test(line)) return `X-Archive-Orig-${line}`
    const [, value] = /^content-length[\t ]*:([^]*)$/i.exec(line) ?? []
    if (value === undefined) return line
    const isFolded = /^[\t ]/.test(lines[i + 1] ?? '')
    const isRight = !hasLength && !isFolded && value.trim() === String(bodyBytes)
    if (whole && !isRight) return `X-Archive-Orig-${line}`
    hasLength = true
    return line
  })
  if (!hasLength && whole) kept.splice(last, 0, `Content-Length: ${bodyBytes}\r\n`)
  return Buffer.from(kept.join(''), 'latin1')
}

/**
 * Whether the head frames its body as it is: one Content-Length, of this value, and no Transfer-Encoding. False if that is not
 * certain at a glance at the bytes: they are most heads, and need no strings then.
 */
function isFitting(head: Buffer, bodyBytes: number): boolean {
  let isLengthRight = false
  let lineAt = head.indexOf(lineFeed) + 1
  if (lineAt <= 2) return false
  while (lineAt < head.length) {
    const first = head[lineAt] | 0x20
    // A folded line, or white space before a name; an empty line starts with CR or LF.
    if (head[lineAt] === 0x20 || head[lineAt] === 0x09) return false
    if (first === letterT && spells(head, lineAt, transferEncoding)) return false
    if (first === letterC && spells(head, lineAt, contentLength)) {
      if (isLengthRight) return false
      const at = lineAt + contentLength.length
      const digits = `: ${bodyBytes}\r\n`
      if (head.toString('latin1', at, at + digits.length) !== digits) return false
      isLengthRight = true
    }
    const end = head.indexOf(lineFeed, lineAt)
    if (end < 0) return false
    lineAt = end + 1
  }
  return isLengthRight
}

const lineFeed = 0x0a
const letterC = 0x63
const letterT = 0x74
const contentLength = Buffer.from('content-length')
const transferEncoding = Buffer.from('transfer-encoding')

/** In upper or lower case. The dash has the bit of lower case; without it, it is a CR. */
function spells(bytes: Buffer, at: number, name: Buffer): boolean {
  for (let i = 0; i < name.length; i++) {
    const byte = bytes[at + i]
    if ((byte | 0x20) !== name[i] || byte === 0x0d) return false
  }
  return true
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
