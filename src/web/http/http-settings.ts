/** What the HTTP client has to know, for all requests of a thread. */
import type { ContentRules } from '../url/content-rules.ts'
import type { Signing } from '../signatures/signature.ts'
import type { HostCredentials, HostHeader } from './request-headers.ts'

export interface HttpSettings {
  readonly userAgent: string
  readonly headers: readonly HostHeader[]
  /** Credentials of some hosts; the first that match count. */
  readonly credentials?: readonly HostCredentials[] | undefined
  /** Signs all requests. Default: none is signed. */
  readonly signing?: Signing | undefined
  /** Whether cookies are kept, so that Set-Cookie is reported, and archived. Default: none. */
  readonly cookies?: 'none' | 'kept' | 'archived' | undefined
  /** URLs of HTTP proxies; all requests are sent by one of them. Default: none. */
  readonly proxies?: readonly string[] | undefined
  /** Idle connections are closed after this time. */
  readonly keepAliveSeconds: number
  /** Longer bodies, decoded or not, are truncated. */
  readonly bodyBytesMax: number
  /** Timeout of a whole request, and of opening a connection. */
  readonly exchangeSecondsMax: number
  readonly connectSecondsMax: number
  /** A body without noticeable progress for this long is truncated. */
  readonly slowSecondsMax: number
  /** After this time a request with hardly any body bytes is reported as slow; undefined disables this. */
  readonly slowAfterSeconds?: number | undefined
  readonly verifyCertificates: boolean
  readonly http2: boolean
  /** Which content is taken; by default all of it. */
  readonly content?: ContentRules | undefined
}
