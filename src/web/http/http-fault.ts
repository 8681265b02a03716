/**
 * Tolerated violations of HTTP/1.1 in a response. Each is recorded with the page, and the connection is
 * closed after the response: its framing is no longer trusted.
 */
export type HttpFault =
  /** A line ends with LF alone. */
  | 'bare-lf'
  /** A control character in a header value or a reason phrase, where it is read as a space, or in a chunk extension. */
  | 'control-character'
  | 'space-before-colon'
  /** A header value continues on the next line (obs-fold of RFC 9112, 5.2). */
  | 'folded-header'
  /** Content-Length is repeated with the same value. */
  | 'repeated-length'
  /** Content-Length together with chunks: the chunks take precedence (RFC 9112, 6.3). */
  | 'length-and-chunked'
  /** `Transfer-Encoding: identity`, which RFC 7230 removed, or an empty one: it is ignored. */
  | 'identity-coding'
  /** Empty lines before the status line. */
  | 'empty-line-first'

export const httpFaults: readonly HttpFault[] = [
  'bare-lf',
  'control-character',
  'space-before-colon',
  'folded-header',
  'repeated-length',
  'length-and-chunked',
  'identity-coding',
  'empty-line-first',
]
