/** Everything through one proxy: CONNECT for https, requests in absolute form for http. The proxy resolves names. */
import { ProxyAgent } from 'undici'
import type { ThreadSettings } from '../messages.ts'
import type { Exchange } from './exchange.ts'
import { headerBytesMax } from './origin-clients.ts'
import type { RequestPlace } from './request-place.ts'
import type { Carriage, Endpoint, Transport } from './transport.ts'

const carriage: Carriage = { address: undefined, release: () => {} }

export class ProxyTransport implements Transport {
  readonly #agent: ProxyAgent

  constructor(proxy: string, settings: ThreadSettings) {
    const { http2, verifyCertificates, keepAliveSeconds, connectSecondsMax } = settings
    const tls = { rejectUnauthorized: verifyCertificates, timeout: connectSecondsMax * 1000 }
    this.#agent = new ProxyAgent({
      uri: proxy,
      proxyTunnel: false,
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

  send({ origin, path }: RequestPlace, _endpoint: Endpoint, headers: string[], exchange: Exchange): Carriage {
    this.#agent.dispatch({ origin, method: 'GET', path, headers }, exchange)
    return carriage
  }

  /** The agent closes idle connections itself. */
  sweep(): void {}

  destroy(): void {
    void this.#agent.destroy()
  }
}
