/**
 * Opens connections: to the checked address, never to a name, or through a proxy, which resolves names. The
 * TLS server name and the name for the certificate check are the URL's, regardless of the address.
 */
import { connect as connectPlain, isIP } from 'node:net'
import type { Socket } from 'node:net'
import { checkServerIdentity, connect as connectSecure, createSecureContext } from 'node:tls'
import type { SecureContext } from 'node:tls'
import type { HttpSettings } from './http-settings.ts'
import { requestPlace } from './request-place.ts'
import type { RequestPlace } from './request-place.ts'
import { readHead } from './response-head.ts'
import { headerBytesMax } from './response-reader.ts'
import type { Endpoint } from './transport.ts'

/** A connection that is being opened. */
export interface Opening {
  /** Whether the proxy has not been reached yet. */
  readonly isBeforeProxy: boolean
  /** Cancels it; nothing more is reported. */
  cancel(): void
}

/**
 * All plain sockets of a thread read into the same memory: a new buffer of 64 KiB for each read costs more than the
 * copy. Listeners of `data` copy what they keep.
 */
const readBuffer = Buffer.allocUnsafeSlow(64 * 1024)

type OnOpened = (error: Error | undefined, socket: Socket, isHttp2: boolean) => void

export class Connector {
  readonly #settings: HttpSettings
  /** Shared, because loading its certificates takes longer than a handshake. */
  #context: SecureContext | undefined
  readonly #proxies: readonly RequestPlace[]

  constructor(settings: HttpSettings) {
    this.#settings = settings
    this.#proxies = (settings.proxies ?? []).map((proxy) => requestPlace(new URL(proxy).href))
  }

  proxyOf({ proxy }: Endpoint): RequestPlace | undefined {
    return proxy === undefined ? undefined : this.#proxies[proxy]
  }

  /** `onOpened` is called once, and never before this returns. */
  open(place: RequestPlace, endpoint: Endpoint, mayUseHttp2: boolean, onOpened: OnOpened): Opening {
    const proxy = this.proxyOf(endpoint)
    const made = new PendingSocket(onOpened)
    if (proxy !== undefined) this.#openByProxy(proxy, place, mayUseHttp2, made)
    else if (place.isSecure) this.#secure(made, place, { ...this.#where(place, endpoint) }, mayUseHttp2)
    else this.#plain(made, this.#where(place, endpoint))
    return made
  }

  #openByProxy(proxy: RequestPlace, place: RequestPlace, mayUseHttp2: boolean, made: PendingSocket): void {
    made.isBeforeProxy = true
    const where = this.#where(proxy, { address: undefined, port: undefined })
    if (place.isSecure) {
      made.onStage = (socket) => {
        made.onStage = undefined
        made.isBeforeProxy = false
        this.#tunnel(made, socket, proxy, place, mayUseHttp2)
      }
    }
    if (proxy.isSecure) this.#secure(made, proxy, where, false)
    else this.#plain(made, where)
  }

  /** Requests a tunnel from the proxy, and starts TLS through it. */
  #tunnel(
    made: PendingSocket,
    socket: Socket,
    proxy: RequestPlace,
    place: RequestPlace,
    mayUseHttp2: boolean,
  ): void {
    const { hostname, port } = new URL(place.origin)
    const target = `${hostname}:${port === '' ? 443 : port}`
    const credentials =
      proxy.authorization === undefined ? '' : `proxy-authorization: ${proxy.authorization}\r\n`
    let received = Buffer.alloc(0)
    let hasAnswer = false
    const onData = (bytes: Buffer): void => {
      received = Buffer.concat([received, bytes])
      const end = received.indexOf('\r\n\r\n')
      if (end < 0 && received.length <= headerBytesMax) return
      socket.off('data', onData)
      hasAnswer = true
      const head = end < 0 ? 'headers that are too large' : readHead(received.subarray(0, end + 4))
      if (typeof head === 'string') made.fail(new Error(`the proxy responded with ${head}`))
      else if (head.status === 407) {
        made.isBeforeProxy = true
        made.fail(new Error(proxyCredentialsText))
      } else if (head.status < 200 || head.status > 299) {
        made.fail(new Error(`the proxy refused the tunnel (${head.status})`))
      } else if (received.length > end + 4) made.fail(new Error('the proxy sent bytes before the server'))
      else this.#secure(made, place, { socket }, mayUseHttp2)
    }
    socket.on('data', onData)
    socket.on('end', () => {
      made.isBeforeProxy = !hasAnswer
      made.fail(new Error('the proxy closed the connection'))
    })
    socket.write(`CONNECT ${target} HTTP/1.1\r\nhost: ${target}\r\n${credentials}\r\n`, 'latin1')
  }

  #plain(made: PendingSocket, where: { host: string; port: number }): void {
    const onread = {
      buffer: readBuffer,
      callback: (length: number): boolean => {
        socket.emit('data', readBuffer.subarray(0, length))
        return true // false would stop reading
      },
    }
    // TLS through a tunnel reads the socket itself.
    const socket: Socket = connectPlain({
      ...where,
      noDelay: true,
      ...(made.onStage === undefined && { onread }),
    })
    made.watch(socket, 'connect', () => false)
  }

  #secure(
    made: PendingSocket,
    place: RequestPlace,
    where: { host: string; port: number } | { socket: Socket },
    mayUseHttp2: boolean,
  ): void {
    const { http2, verifyCertificates } = this.#settings
    const name = hostnameOf(place)
    this.#context ??= createSecureContext()
    const socket = connectSecure({
      ...where,
      ...(isIP(name) === 0 && { servername: name }),
      secureContext: this.#context,
      ALPNProtocols: http2 && mayUseHttp2 ? ['h2', 'http/1.1'] : ['http/1.1'],
      rejectUnauthorized: verifyCertificates,
      checkServerIdentity: (_host, certificate) => checkServerIdentity(name, certificate),
    })
    socket.setNoDelay(true)
    made.watch(socket, 'secureConnect', () => socket.alpnProtocol === 'h2')
  }

  #where(place: RequestPlace, { address, port }: Endpoint): { host: string; port: number } {
    const url = new URL(place.origin)
    const given = url.port === '' ? (place.isSecure ? 443 : 80) : Number(url.port)
    return { host: address ?? hostnameOf(place), port: port ?? given }
  }
}

export const proxyCredentialsText = 'the proxy requires a user name and a password (407)'

/** Without the brackets of an IPv6 address. */
function hostnameOf({ origin }: RequestPlace): string {
  return new URL(origin).hostname.replace(/^\[(.*)\]$/, '$1')
}

/** A socket until it is ready; behind a proxy, one layer after the other. */
class PendingSocket implements Opening {
  isBeforeProxy = false
  readonly #onOpened: OnOpened
  #socket: Socket | undefined
  #isOver = false
  /** Receives the socket if further steps are needed. */
  onStage: ((socket: Socket) => void) | undefined

  constructor(onOpened: OnOpened) {
    this.#onOpened = onOpened
  }

  watch(socket: Socket, ready: 'connect' | 'secureConnect', isHttp2: () => boolean): void {
    const lower = this.#socket
    this.#socket = socket
    const onError = (error: Error): void => this.fail(error)
    const onClose = (): void => this.fail(new Error('connection closed before it was established'))
    socket.on('error', onError)
    socket.on('close', onClose)
    // An error of the underlying socket also destroys the TLS socket.
    lower?.on('error', (error) => socket.destroy(error))
    socket.once(ready, () => {
      if (this.#isOver) return
      if (this.onStage !== undefined) return this.onStage(socket)
      this.#isOver = true
      socket.off('error', onError)
      socket.off('close', onClose)
      this.#onOpened(undefined, socket, isHttp2())
    })
  }

  fail(error: Error): void {
    if (this.#isOver) return
    this.cancel()
    this.#onOpened(error, this.#socket!, false)
  }

  cancel(): void {
    this.#isOver = true
    this.#socket?.on('error', () => {})
    this.#socket?.destroy()
  }
}
