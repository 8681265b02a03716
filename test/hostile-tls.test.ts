/** H91 and H95: what TLS servers do that Node's own cannot be made to do. Certificates are not checked here. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import {
  hasOpenssl,
  listening,
  ThreadProbe,
  withShortLimit,
} from '../src/crawler/fetch/fetch-thread.cases.ts'
import type { ProbeSettings } from '../src/crawler/fetch/fetch-thread.cases.ts'
import type { FetchResult } from '../src/crawler/world/fetch-result.ts'
import type { KeyAndCertificate } from './hostile/certificates.ts'
import { answerAsOldServer, answerNoSuite, suites } from './hostile/old-tls.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
const handshake = 0x16

async function asked(answer: (socket: Socket) => void, limits: ProbeSettings = {}): Promise<FetchResult> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    answer(socket)
  })
  const port = await listening(server)
  const settings = { verifyCertificates: false, exchangeSecondsMax: 600, connectSecondsMax: 600, ...limits }
  return new ThreadProbe(settings).one(`https://127.0.0.1:${port}/`)
}

/** With RSA, as the suites of old have it. */
function rsaCertificate(): KeyAndCertificate {
  const [key, cert] = ['key.pem', 'cert.pem'].map((name) => join(folder, name))
  const args = [
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-subj',
    '/CN=test',
    '-keyout',
    key,
    '-out',
    cert,
    '-days',
    '2',
  ]
  execFileSync('openssl', ['req', '-x509', ...args], { stdio: 'ignore' })
  return { key: readFileSync(key), cert: readFileSync(cert) }
}

describe.skipIf(!hasOpenssl())(
  'an old TLS server, by hand since Node has neither RC4 nor 3DES nor DH 480 (H91)',
  () => {
    const own = hasOpenssl() ? rsaCertificate() : undefined

    it.each(['RC4', '3DES', 'NULL'] as const)(
      'that takes %s, which nobody offered, is a TLS error',
      async (suite) => {
        const server = { ...own!, suite: suites[suite] }
        const came = await asked((socket) => answerAsOldServer(socket, server))
        expect(came).toMatchObject({ failure: 'tls', status: 0 })
        expect(came.failureText).toMatch(/cipher/i)
      },
    )

    it('that has nothing else to offer, and says so, is a TLS error', async () => {
      const came = await asked(answerNoSuite)
      expect(came).toMatchObject({ failure: 'tls', status: 0 })
      expect(came.failureText).toMatch(/handshake failure/i)
    })

    it('with a Diffie-Hellman prime of 480 bits is a TLS error', async () => {
      const server = { ...own!, suite: suites.DHE, primeBits: 480 }
      const came = await asked((socket) => answerAsOldServer(socket, server))
      expect(came).toMatchObject({ failure: 'tls', status: 0 })
      expect(came.failureText).toMatch(/\bdh\b/i)
    })

    it('is not refused for anything else: with 2048 bits the handshake goes on', async () => {
      const heard: number[] = []
      const server = { ...own!, suite: suites.DHE, primeBits: 2048 }
      await asked((socket) =>
        answerAsOldServer(socket, server, (type) => {
          heard.push(type)
          socket.destroy()
        }),
      )
      expect(heard).toEqual([handshake])
    })
  },
)

describe.skipIf(!hasOpenssl())('session tickets without end after the handshake (H95)', () => {
  const servers: ChildProcess[] = []
  afterAll(() => {
    for (const server of servers) server.kill('SIGKILL')
  })

  it('do not move the limits of a fetch', async () => {
    rsaCertificate()
    const args = ['s_server', '-accept', '127.0.0.1:0', '-key', 'key.pem', '-cert', 'cert.pem', '-tls1_3']
    const server = spawn('openssl', [...args, '-num_tickets', '100000000'], { cwd: folder })
    servers.push(server)
    const port = await new Promise<number>((resolve) => {
      let text = ''
      server.stdout.on('data', (bytes: Buffer) => {
        text += bytes.toString()
        const [, told] = /ACCEPT \S+:(\d+)/.exec(text) ?? []
        if (told !== undefined) resolve(Number(told))
      })
    })
    let flood = 0
    const relay = (socket: Socket): void => {
      const upstream = connect(port, '127.0.0.1').on('error', () => {})
      upstream.on('data', (bytes: Buffer) => (flood += bytes.length))
      socket.pipe(upstream).pipe(socket)
      socket.on('close', () => upstream.destroy())
    }
    const came = await withShortLimit(
      (exchangeSecondsMax) => {
        flood = 0
        return asked(relay, { exchangeSecondsMax })
      },
      () => flood > 100_000,
    )
    expect(came).toMatchObject({ failure: 'timeout', status: 0 })
    expect(flood).toBeGreaterThan(100_000)
  })
})
