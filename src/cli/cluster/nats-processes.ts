/** nats-servers on this machine, for the demo: three processes that replicate each other, on loopback. */
import type { ChildProcess } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { makeFolder } from '../../lib/files/make-folder.ts'
import { RankwardError } from '../../lib/errors.ts'
import { freePorts } from '../../webgraph/served/listening.ts'
import type { DemoProcesses } from './demo-processes.ts'

export class NatsProcesses {
  readonly #processes: DemoProcesses
  readonly #program: string
  readonly #folder: string
  readonly #ports: readonly number[]
  readonly #routePorts: readonly number[]
  readonly #children: ChildProcess[] = []

  private constructor(processes: DemoProcesses, program: string, folder: string, ports: readonly number[]) {
    this.#processes = processes
    this.#program = program
    this.#folder = folder
    this.#ports = ports.slice(0, ports.length / 2)
    this.#routePorts = ports.slice(ports.length / 2)
  }

  static async start(processes: DemoProcesses, folder: string, count: number): Promise<NatsProcesses> {
    const program = programPath()
    makeFolder(folder)
    const servers = new NatsProcesses(processes, program, folder, await freePorts(2 * count))
    for (let server = 0; server < count; server++) servers.#start(server)
    return servers
  }

  get addresses(): string[] {
    return this.#ports.map((port) => `nats://127.0.0.1:${port}`)
  }

  /** kill -9. */
  async kill(server: number): Promise<void> {
    await this.#processes.kill(this.#children[server])
  }

  #start(server: number): void {
    const config = join(this.#folder, `server-${server}.conf`)
    writeFileSync(config, this.#config(server))
    this.#children[server] = this.#processes.start('nats-server', this.#program, ['-c', config])
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
