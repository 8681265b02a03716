/**
 * Everything through one proxy: requests in absolute form for http, a tunnel (CONNECT) for https. The proxy resolves
 * names. Here too each origin has a connection of its own.
 */
import type { ProxyAgent } from 'undici'
import { loadProxyAgent } from './undici-parts.ts'
import type { ThreadSettings } from '../messages.ts'
import type { Exchange } from './exchange.ts'
import { headerBytesMax, OriginClients } from './origin-clients.ts'
import { requestPlace } from './request-place.ts'
import type { RequestPlace } from './request-place.ts'
import type { Carriage, Endpoint, Transport } from './transport.ts'

const tunnel: Carriage = { address: undefined, received: 0, release: () => {} }
const anywhere: Endpoint = { address: undefined, port: undefined }

export class ProxyTransport implements Transport {
  readonly #proxy: RequestPlace
  /** undici's agent never forgets an origin that it asked for in absolute form, so that these are asked for here. */
  readonly #plain: OriginClients
  readonly #tunnels: ProxyAgent

  constructor(proxy: string, settings: ThreadSettings) {
    const { http2, verifyCertificates, keepAliveSeconds, connectSecondsMax } = settings
    this.#proxy = requestPlace(new URL(proxy).href)
    this.#plain = new OriginClients({ ...settings, http2: false })
    const tls = { rejectUnauthorized: verifyCertificates, timeout: connectSecondsMax * 1000 }
    this.#tunnels = new (loadProxyAgent())({
      uri: this.#proxy.origin,
      ...(this.#proxy.authorization !== undefined && { token: this.#proxy.authorization }),
      connections: 1,
      pipelining: 1,
      keepAliveTimeout: keepAliveSeconds * 1000,
      keepAliveMaxTimeout: keepAliveSeconds * 1000,
      headersTimeout: 0,
      bodyTimeout: 0,
      maxHeaderSize: headerBytesMax,
      allowH2: http2,
      requestTls: { ...tls, allowH2: http2 },
      proxyTls: tls,
    })
  }

  send(place: RequestPlace, _endpoint: Endpoint, headers: string[], exchange: Exchange): Carriage {
    const { origin, path, host, isSecure } = place
    if (isSecure) {
      this.#tunnels.dispatch({ origin, method: 'GET', path, headers }, exchange)
      return tunnel
    }
    const { origin: via, authorization } = this.#proxy
    headers.push('Host', host)
    if (authorization !== undefined) headers.push('Proxy-Authorization', authorization)
    const sent = this.#plain.send({ ...place, path: origin + path }, anywhere, headers, exchange, via)
    return {
      address: undefined,
      get received() {
        return sent.received
      },
      release: (isUsable) => sent.release(isUsable),
    }
  }

  sweep(nowMs: number): void {
    this.#plain.sweep(nowMs)
  }

  destroy(): void {
    this.#plain.destroy()
    void this.#tunnels.destroy()
  }
}
