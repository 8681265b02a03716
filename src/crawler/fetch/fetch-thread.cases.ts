/** Loopback servers and a fetch thread without its thread, for the tests of this folder. */
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { RequestListener, Server } from 'node:http'
import type { AddressInfo, Server as NetServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach } from 'vitest'
import type { FetchResult } from '../world/fetch-result.ts'
import type { FetchConnection, FromThread, Kept, ThreadSettings } from '../world/messages.ts'
import type { FetchRequest } from '../../web/http/http-request.ts'
import type { ToThread, Verdict } from '../world/messages.ts'
import { makeArchive, type WarcSettings } from '../parts/archive/archive-writer.ts'
import type { PartReader } from '../parts/part-reader.ts'
import { FetchThread } from './fetch-thread.ts'

export function settings(changes: Partial<ThreadSettings> = {}): ThreadSettings {
  return {
    thread: 0,
    userAgent: 'rankward/0.1 (+http://example.org/)',
    headers: [],
    keepAliveSeconds: 5,
    bodyBytesMax: 1_000_000,
    exchangeSecondsMax: 600,
    connectSecondsMax: 600,
    slowSecondsMax: 600,
    verifyCertificates: true,
    http2: false,
    scope: { seeds: [], kind: 'any', include: [], exclude: [] },
    canonicalRules: {},
    obeyNofollow: true,
    wantsBodies: false,
    wantsAnchors: false,
    ...changes,
  }
}

/** `archive`: the settings of an archive, which the probe makes itself. */
export type ProbeSettings = Partial<Omit<ThreadSettings, 'archive'>> & {
  readonly archive?: WarcSettings | undefined
}

/** A thread whose messages can be awaited. It is closed after its test. */
export class ThreadProbe {
  readonly messages: FromThread[] = []
  readonly #thread: FetchThread
  #nextId = 1
  #waiting: (() => void)[] = []

  constructor({ archive, ...changes }: ProbeSettings = {}, readers: readonly PartReader[] = []) {
    const module = archive && { module: 'archive-writer', settings: archive }
    const all = settings({ ...changes, archive: module })
    this.#thread = new FetchThread(
      all,
      (message) => {
        this.messages.push(message)
        for (const wake of this.#waiting.splice(0)) wake()
      },
      archive === undefined ? undefined : (onBroken) => makeArchive(archive, all, onBroken),
      readers,
    )
    probes.push(this)
  }

  get came(): FetchResult[] {
    return this.messages.flatMap((message) => (message.kind === 'results' ? [...message.results] : []))
  }

  get kept(): Kept[] {
    return this.messages.flatMap((message) => (message.kind === 'kept' ? [...message.kept] : []))
  }

  take(message: ToThread): void {
    this.#thread.take(message)
  }

  /**
   * Sends these requests on one connection to the loopback, or as `connection` specifies; returns the results
   * in order.
   */
  async fetch(
    requests: (string | Partial<FetchRequest>)[],
    connection: Partial<FetchConnection> = {},
  ): Promise<FetchResult[]> {
    const firstId = this.#nextId
    this.take({
      kind: 'fetch',
      connections: [
        {
          site: 7,
          address: '127.0.0.1',
          ...connection,
          requests: requests.map((one) => ({
            id: this.#nextId++,
            purpose: 'page',
            url: '',
            ...(typeof one === 'string' ? { url: one } : one),
          })),
        },
      ],
    })
    const mine = (): FetchResult[] =>
      this.came.filter(({ id }) => id >= firstId && id < firstId + requests.length)
    await this.until(() => mine().length === requests.length)
    return mine()
  }

  async one(
    request: string | Partial<FetchRequest>,
    connection?: Partial<FetchConnection>,
  ): Promise<FetchResult> {
    const [came] = await this.fetch([request], connection)
    return came
  }

  async keep(verdicts: Verdict[]): Promise<Kept[]> {
    const before = this.kept.length
    this.take({ kind: 'keep', verdicts })
    await this.until(() => this.kept.length === before + verdicts.length)
    return this.kept.slice(before)
  }

  close(): void {
    this.take({ kind: 'close' })
  }

  async until(done: () => boolean): Promise<void> {
    while (!done()) await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }
}

const probes: ThreadProbe[] = []
const servers: NetServer[] = []
afterEach(() => {
  for (const probe of probes.splice(0)) probe.close()
  for (const server of servers.splice(0)) {
    server.close()
    if ('closeAllConnections' in server) (server as Server).closeAllConnections()
  }
})

/** Listens on the loopback until the end of the test; returns the port. */
export async function listening(server: NetServer): Promise<number> {
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

export async function httpServer(listener: RequestListener): Promise<string> {
  return `http://127.0.0.1:${await listening(createServer(listener))}`
}

/**
 * Fetches with a timeout of 0.3 s, and doubles it until the response has arrived. So the timeout is short on
 * an idle machine, and a busy one does not change the result.
 */
export async function withShortLimit(
  fetch: (secondsMax: number) => Promise<FetchResult>,
  hasArrived: (result: FetchResult) => boolean = ({ status }) => status > 0,
): Promise<FetchResult> {
  for (let secondsMax = 0.3; ; secondsMax *= 2) {
    const result = await fetch(secondsMax)
    if (hasArrived(result) || secondsMax > 60) return result
  }
}

interface KeyAndCertificate {
  readonly key: Buffer
  readonly cert: Buffer
}

const certificates = new Map<string, KeyAndCertificate>()

/** A key and a self-signed certificate for these names, generated by openssl once per test file. */
export function certificate(names = 'DNS:example.test,IP:127.0.0.1', days = 2): KeyAndCertificate {
  const known = certificates.get(`${names} ${days}`)
  if (known !== undefined) return known
  const made = newCertificate(names, days)
  certificates.set(`${names} ${days}`, made)
  return made
}

function newCertificate(names: string, days: number): KeyAndCertificate {
  const folder = mkdtempSync(join(tmpdir(), 'rankward-certificate-'))
  const [key, cert] = ['key.pem', 'cert.pem'].map((name) => join(folder, name))
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-subj', '/CN=test']
  const files = ['-keyout', key, '-out', cert, '-days', String(days), '-addext', `subjectAltName=${names}`]
  execFileSync('openssl', ['req', '-x509', ...curve, ...files], { stdio: 'ignore' })
  const made = { key: readFileSync(key), cert: readFileSync(cert) }
  rmSync(folder, { recursive: true, force: true })
  return made
}

export function hasOpenssl(): boolean {
  isOpensslThere ??= runsOpenssl()
  return isOpensslThere
}

let isOpensslThere: boolean | undefined

function runsOpenssl(): boolean {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
