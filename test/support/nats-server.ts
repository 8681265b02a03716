/** Real nats-servers with JetStream on loopback: one alone, or three that replicate each other. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream'
import { connect, type NatsConnection, type NodeConnectionOptions } from '@nats-io/transport-node'
import { freePorts } from '../../src/webgraph/served/listening.ts'
import { CutWire } from './cut-wire.ts'

const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin']
export const natsProgram = folders
  .map((folder) => join(folder, 'nats-server'))
  .find((path) => existsSync(path))

/** In CI it must be there: `npm run setup` installs it. */
export const withoutNats = natsProgram === undefined && process.env['CI'] !== 'true'
export const natsNote = withoutNats
  ? ' (skipped: nats-server is not installed, `npm run setup -- --debian` does that)'
  : ''

export interface NatsOptions {
  readonly servers?: 1 | 3
  /** The number of servers that are started at first; all by default. */
  readonly started?: number
  /** The largest size of all streams of a server, in bytes. */
  readonly maxFile?: number
  readonly maxPayload?: string
  readonly withoutJetStream?: boolean
  /** More lines for the configuration file, such as users. */
  readonly config?: string
  /** Clients and servers reach each server over wires that `cutOff` can cut. */
  readonly isWired?: boolean
  /** How to connect to servers with users or TLS. */
  readonly login?: Partial<NodeConnectionOptions>
}

export class NatsServers {
  readonly #folder: string
  readonly #options: NatsOptions
  readonly #ports: readonly number[]
  readonly #routePorts: readonly number[]
  readonly #processes: (ChildProcess | undefined)[] = []
  readonly #connections: NatsConnection[] = []
  /** From clients to each server; empty unless the servers are wired. */
  #clientWires: CutWire[] = []
  /** From each server to the others. */
  #routeWires: (CutWire | undefined)[][] = []

  private constructor(folder: string, options: NatsOptions, ports: readonly number[]) {
    this.#folder = folder
    this.#options = options
    this.#ports = ports.slice(0, ports.length / 2)
    this.#routePorts = ports.slice(ports.length / 2)
  }

  static async start(folder: string, options: NatsOptions = {}): Promise<NatsServers> {
    const servers = new NatsServers(folder, options, await freePorts(2 * (options.servers ?? 1)))
    if (options.isWired === true) await servers.#wire()
    for (let server = 0; server < (options.started ?? servers.count); server++) servers.startServer(server)
    const manager = await servers.#manager()
    if (options.withoutJetStream !== true) await untilDone(() => manager.getAccountInfo())
    if (servers.count > 1 && options.started === undefined) await untilReplicated(manager, servers.count)
    return servers
  }

  get count(): number {
    return this.#ports.length
  }

  /** Of the wires, if the servers are wired. */
  get addresses(): string[] {
    return this.#ports.map((port, server) => `127.0.0.1:${this.#clientWires[server]?.port ?? port}`)
  }

  get pids(): (number | undefined)[] {
    return this.#processes.map((child) => child?.pid)
  }

  startServer(server: number): void {
    const config = join(this.#folder, `server-${server}.conf`)
    writeFileSync(config, this.#config(server))
    this.#processes[server] = spawn(natsProgram!, ['-c', config], { stdio: 'ignore' })
  }

  /** kill -9. */
  async kill(server: number): Promise<void> {
    const child = this.#processes[server]!
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }

  /** Cuts all wires of a server: neither clients nor the other servers hear from it any more. */
  cutOff(server: number): void {
    for (const wire of this.#wiresOf(server)) wire.cut()
  }

  mend(server: number): void {
    for (const wire of this.#wiresOf(server)) wire.mend()
  }

  /** To one of the servers, or to this one; past the wires. */
  async connect(server?: number): Promise<NatsConnection> {
    const ports = server === undefined ? this.#ports : [this.#ports[server]]
    const options = {
      ...this.#options.login,
      servers: ports.map((port) => `127.0.0.1:${port}`),
      ignoreClusterUpdates: true,
      maxReconnectAttempts: -1,
      reconnectTimeWait: 100,
      reconnectJitter: 0,
    }
    const connection = await untilDone(() => connect({ ...options, timeout: 5000 }))
    this.#connections.push(connection)
    return connection
  }

  async stop(): Promise<void> {
    await Promise.all(this.#connections.map((connection) => connection.close().catch(() => {})))
    await Promise.all(this.#processes.map((_, server) => this.kill(server)))
    for (const wire of [...this.#clientWires, ...this.#routeWires.flat()]) wire?.close()
  }

  async #wire(): Promise<void> {
    this.#clientWires = await Promise.all(this.#ports.map((port) => CutWire.to(port)))
    this.#routeWires = await Promise.all(
      this.#routePorts.map((_, from) =>
        Promise.all(this.#routePorts.map(async (port, to) => (to === from ? undefined : CutWire.to(port)))),
      ),
    )
  }

  #wiresOf(server: number): CutWire[] {
    const routes = this.#routeWires.flatMap((wires, from) => (from === server ? wires : [wires[server]]))
    return [this.#clientWires[server], ...routes].filter((wire) => wire !== undefined)
  }

  async #manager(): ReturnType<typeof jetstreamManager> {
    return jetstreamManager(await this.connect(), { checkAPI: false, timeout: 2000 })
  }

  #config(server: number): string {
    const maxFile = this.#options.maxFile === undefined ? '' : `, max_file: ${this.#options.maxFile}`
    const isWired = this.#options.isWired === true
    const wires = this.#routeWires[server]?.filter((wire) => wire !== undefined).map(({ port }) => port)
    const routes = (wires ?? this.#routePorts).map((port) => `nats://127.0.0.1:${port}`).join(', ')
    // Servers tell each other and clients where the others are: past the wires nobody must reach them.
    const advertised = isWired ? ', advertise: "127.0.0.1:1"' : ''
    const cluster =
      this.count === 1
        ? ''
        : `cluster { name: test, listen: "127.0.0.1:${this.#routePorts[server]}", routes: [${routes}]${advertised} }`
    return `
      server_name: s${server}
      listen: "127.0.0.1:${this.#ports[server]}"
      ${isWired ? `client_advertise: "${this.addresses[server]}"` : ''}
      max_payload: ${this.#options.maxPayload ?? '16MB'}
      ${this.#options.withoutJetStream === true ? '' : `jetstream { store_dir: "${join(this.#folder, `store-${server}`)}"${maxFile} }`}
      ${cluster}
      ${this.#options.config ?? ''}
    `
  }
}

/** The servers know one another once they can store a stream together. */
async function untilReplicated(manager: JetStreamManager, replicas: number): Promise<void> {
  const stream = { name: 'ready', subjects: ['ready'], num_replicas: replicas }
  await untilDone(() => manager.streams.add(stream))
  await manager.streams.delete(stream.name).catch(() => {})
}

/** Repeats what fails while servers start or elect a leader. */
export async function untilDone<T>(run: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await run()
    } catch {
      await sleep(100)
    }
  }
}
