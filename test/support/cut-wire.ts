/**
 * A TCP connection that can be cut without either end being told, as by a firewall or a pulled cable: a proxy on loopback that stops
 * forwarding. Nothing is lost: what TCP would send again flows once the wire is mended.
 */
import { connect, createServer, type Server, type Socket } from 'node:net'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'

export class CutWire {
  readonly port: number
  readonly #server: Server
  /** Of each open end, the other end. */
  readonly #others = new Map<Socket, Socket>()
  #isCut = false

  private constructor(server: Server) {
    this.#server = server
    this.port = (server.address() as AddressInfo).port
  }

  /** Forwards connections to this port. */
  static async to(port: number): Promise<CutWire> {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const wire = new CutWire(server)
    server.on('connection', (near) => wire.#join(near, port))
    return wire
  }

  /** Connections stay open and new ones are accepted, but nothing passes. */
  cut(): void {
    this.#isCut = true
    for (const socket of this.#others.keys()) socket.pause()
  }

  mend(): void {
    this.#isCut = false
    for (const [socket, other] of this.#others) {
      if (other.destroyed) socket.destroy()
      else socket.resume()
    }
  }

  close(): void {
    this.#server.close()
    for (const socket of this.#others.keys()) socket.destroy()
  }

  #join(near: Socket, port: number): void {
    const far = connect({ port, host: '127.0.0.1', noDelay: true })
    this.#forward(near.setNoDelay(true), far)
    this.#forward(far, near)
  }

  #forward(from: Socket, to: Socket): void {
    this.#others.set(from, to)
    from.on('data', (bytes) => {
      if (!to.write(bytes)) from.pause()
    })
    to.on('drain', () => this.#isCut || from.resume())
    from.on('error', () => {})
    from.on('close', () => {
      this.#others.delete(from)
      // Over a cut wire the other end learns nothing.
      if (!this.#isCut) to.destroy()
    })
    if (this.#isCut) from.pause()
  }
}
