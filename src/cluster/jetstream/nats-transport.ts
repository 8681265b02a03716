/**
 * The TCP connections to NATS servers. The client's own ones have two faults that only matter where a server falls silent without
 * closing its connections (a cut cable, a firewall, a frozen machine):
 *
 * - A silent server is noticed by unanswered pings only, and with short limits a pong that waits behind megabytes of messages would
 *   count as unanswered. Here, whatever the server sends shows that it is there.
 * - A connection is not closed before all that was written to it has left, and not at all while it is being made.
 */
import { createConnection, type Socket } from 'node:net'
import {
  NatsConnectionImpl,
  setTransportFactory,
  type NatsConnection,
  type NodeConnectionOptions,
} from '@nats-io/transport-node'
import { nodeResolveHost, NodeTransport } from '@nats-io/transport-node/lib/node_transport.js'

/** Between two pings, each of which has a response. */
const pingMs = 1000
/** Pings without a byte from the server after which another one is tried. */
const silentPingsMax = 3
/** Pongs that may be missing while the server sends: four minutes, as by default. */
const pongsMax = 240

class NatsTransport extends NodeTransport {
  #dialed: Socket | undefined
  #watch: NodeJS.Timeout | undefined
  /** Counted, not measured: a process that was busy for seconds first reads what has come meanwhile. */
  #silentPings = 0

  override dial({ hostname, port }: { hostname: string; port: number }): Promise<Socket> {
    const socket = createConnection({ host: hostname, port, noDelay: true })
    this.#dialed = socket
    return new Promise((resolve, reject) => {
      socket.once('error', reject)
      socket.once('connect', () => {
        socket.removeAllListeners()
        resolve(socket)
      })
    })
  }

  override setupHandlers(): void {
    super.setupHandlers()
    this.socket.on('data', () => {
      this.#silentPings = 0
    })
    this.#watch = setInterval(() => {
      if (++this.#silentPings > silentPingsMax) this.disconnect()
    }, pingMs)
    this.socket.once('close', () => clearInterval(this.#watch))
  }

  override disconnect(): void {
    this.#dialed?.destroy()
  }

  override async close(error?: Error): Promise<void> {
    await super.close(error)
    this.discard()
  }

  override discard(): void {
    clearInterval(this.#watch)
    super.discard()
    this.#dialed?.destroy()
  }
}

/** Connects over this transport. The client has one kind of transport at a time, and its `connect` would choose its own. */
export function connectNats(options: NodeConnectionOptions): Promise<NatsConnection> {
  setTransportFactory({ factory: () => new NatsTransport(), dnsResolveFn: nodeResolveHost })
  return NatsConnectionImpl.connect({ ...options, pingInterval: pingMs, maxPingOut: pongsMax })
}
