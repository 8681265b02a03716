/** nats-servers on this machine, for the demo: three processes that replicate each other, on loopback. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { delimiter, join } from 'node:path'
import { makeFolder } from '../../files/make-folder.ts'
import { RankwardError } from '../../lib/errors.ts'

export class NatsProcesses {
  readonly #program: string
  readonly #folder: string
  readonly #ports: readonly number[]
  readonly #routePorts: readonly number[]
  readonly #processes: (ChildProcess | undefined)[] = []

  private constructor(program: string, folder: string, ports: readonly number[]) {
    this.#program = program
    this.#folder = folder
    this.#ports = ports.slice(0, ports.length / 2)
    this.#routePorts = ports.slice(ports.length / 2)
  }

  static async start(folder: string, count: number): Promise<NatsProcesses> {
    const program = programPath()
    makeFolder(folder)
    const processes = new NatsProcesses(program, folder, await freePorts(2 * count))
    for (let server = 0; server < count; server++) processes.startServer(server)
    return processes
  }

  get addresses(): string[] {
    return this.#ports.map((port) => `nats://127.0.0.1:${port}`)
  }

  startServer(server: number): void {
    const config = join(this.#folder, `server-${server}.conf`)
    writeFileSync(config, this.#config(server))
    this.#processes[server] = spawn(this.#program, ['-c', config], { stdio: 'ignore' })
  }

  /** kill -9. */
  async kill(server: number): Promise<void> {
    const child = this.#processes[server]
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }

  async stop(): Promise<void> {
    await Promise.all(this.#processes.map((_, server) => this.kill(server)))
  }

  #config(server: number): string {
    const routes = this.#routePorts.map((port) => `nats://127.0.0.1:${port}`).join(', ')
    return [
      `server_name: s${server}`,
      `listen: "127.0.0.1:${this.#ports[server]}"`,
      'max_payload: 8MB',
      `jetstream { store_dir: ${JSON.stringify(join(this.#folder, `store-${server}`))} }`,
      `cluster { name: demo, listen: "127.0.0.1:${this.#routePorts[server]}", routes: [${routes}] }`,
      '',
    ].join('\n')
  }
}

function programPath(): string {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin']
  const found = folders.map((folder) => join(folder, 'nats-server')).find((path) => existsSync(path))
  if (found !== undefined) return found
  throw new RankwardError(
    'USAGE',
    'nats-server is not installed: install the package nats-server (Debian, Homebrew), or put its program on the PATH.',
  )
}

async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'))
  await Promise.all(servers.map((server) => once(server, 'listening')))
  const ports = servers.map((server) => (server.address() as AddressInfo).port)
  await Promise.all(servers.map((server) => new Promise((resolve) => void server.close(resolve))))
  return ports
}
