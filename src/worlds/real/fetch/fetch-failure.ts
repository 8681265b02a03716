/** Why no answer came, from the errors of Node, OpenSSL and undici. */
import type { FetchFailure } from '../messages.ts'

export interface FailureTold {
  readonly failure: FetchFailure
  readonly text: string
}

const byCode: Record<string, FetchFailure> = {
  ECONNREFUSED: 'connect-refused',
  UND_ERR_CONNECT_TIMEOUT: 'connect-timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_OVERFLOW: 'headers-too-large',
  HPE_HEADER_OVERFLOW: 'headers-too-large',
  UND_ERR_PRX_TLS: 'tls',
  // The body ended before its end: the connection was lost, whatever the parser says.
  HPE_INVALID_EOF_STATE: 'reset',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'reset',
}

/** Of certificates (OpenSSL's names for what is wrong with them) and of the handshake. */
const tlsCode =
  /^(?:ERR_TLS_|ERR_SSL_|CERT_|CRL_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_MISMATCH|EPROTO)/
const otherTlsCodes = new Set([
  'INVALID_CA',
  'INVALID_PURPOSE',
  'PATH_LENGTH_EXCEEDED',
  'ERROR_IN_CERT_NOT_AFTER_FIELD',
])

/** `sent`: did the connection stand, and was the request sent? */
export function failureOf(error: Error, sent: boolean): FailureTold {
  return { failure: kindOf(error, sent), text: textOf(error) }
}

function kindOf(error: Error, sent: boolean): FetchFailure {
  const code = (error as NodeJS.ErrnoException).code ?? ''
  const known = byCode[code]
  if (known !== undefined) return known
  if (!sent) {
    if (code === 'ETIMEDOUT') return 'connect-timeout'
    return tlsCode.test(code) || otherTlsCodes.has(code) ? 'tls' : 'connect-failed'
  }
  if (code === 'ETIMEDOUT') return 'timeout'
  // undici says so of answers that nobody asked for and of upgrades.
  if (error.name === 'HTTPParserError' || error.message.startsWith('bad ')) return 'bad-http'
  return code === 'ERR_HTTP2_ERROR' || code === 'ERR_HTTP2_SESSION_ERROR' ? 'bad-http' : 'reset'
}

/** One line, with the code where the message does not have it. */
function textOf(error: Error): string {
  const { code } = error as NodeJS.ErrnoException
  const message = error.message.replace(/\s+/g, ' ').trim().slice(0, 200)
  if (code === undefined || code.startsWith('UND_ERR') || message.includes(code)) return message
  return message === '' ? code : `${message} (${code})`
}
