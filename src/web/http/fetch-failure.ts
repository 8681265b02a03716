/** Why there is no response, from the errors of Node and OpenSSL. */

/** Why there is no response. outcome-policy.ts has the consequences of each. */
export type FetchFailure =
  /** Before anything was sent: no connection, or an invalid certificate. */
  | 'connect-refused'
  | 'connect-timeout'
  | 'connect-failed'
  | 'tls'
  /** After the request was sent. */
  | 'timeout'
  | 'reset'
  | 'bad-http'
  | 'headers-too-large'
  /** Slow, while too many other connections were slow as well: aborted by the main thread. */
  | 'slow'
  /** The main thread has stopped all requests. */
  | 'aborted'

export interface FailureTold {
  readonly failure: FetchFailure
  readonly text: string
}

/** OpenSSL's error codes for certificates and the handshake. */
const tlsCode =
  /^(?:ERR_TLS_|ERR_SSL_|CERT_|CRL_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_MISMATCH|EPROTO)/
const otherTlsCodes = new Set([
  'INVALID_CA',
  'INVALID_PURPOSE',
  'PATH_LENGTH_EXCEEDED',
  'ERROR_IN_CERT_NOT_AFTER_FIELD',
])

/** `sent`: whether the connection was opened and the request sent. */
export function failureOf(error: Error, sent: boolean): FailureTold {
  return { failure: kindOf(error, sent), text: textOf(error) }
}

function kindOf(error: Error, sent: boolean): FetchFailure {
  const code = (error as NodeJS.ErrnoException).code ?? ''
  if (code === 'ECONNREFUSED') return 'connect-refused'
  if (!sent) {
    if (code === 'ETIMEDOUT') return 'connect-timeout'
    return tlsCode.test(code) || otherTlsCodes.has(code) ? 'tls' : 'connect-failed'
  }
  if (code === 'ETIMEDOUT') return 'timeout'
  return code === 'ERR_HTTP2_ERROR' || code === 'ERR_HTTP2_SESSION_ERROR' ? 'bad-http' : 'reset'
}

/** One line, with the code if the message does not have it. */
function textOf(error: Error): string {
  const { code } = error as NodeJS.ErrnoException
  const message = error.message.replace(/\s+/g, ' ').trim().slice(0, 200)
  if (code === undefined || message.includes(code)) return message
  return message === '' ? code : `${message} (${code})`
}
