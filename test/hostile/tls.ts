/** H90 to H95: certificates that are wrong, old versions, handshakes that hang, floods after them. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TLSSocket, TlsOptions } from 'node:tls'
import { expect } from 'vitest'
import { pageWith } from '../support/small-web.ts'
import type { Behaviour } from './hostile-web.ts'
import { endlessly, html, raw } from './raw-answers.ts'

/** `20200101000000Z`: from when and until when a certificate counts. */
type Span = readonly [from: string, until: string]

const now: Span = ['20200101000000Z', '20490101000000Z']
const past: Span = ['20200101000000Z', '20210101000000Z']
const future: Span = ['20480101000000Z', '20490101000000Z']

const config = `[req]
distinguished_name = name
[name]
[ca]
default_ca = this
[this]
database = index
serial = serial
new_certs_dir = .
default_md = sha256
policy = any
x509_extensions = extensions
[any]
commonName = supplied
[extensions]
subjectAltName = @names
[names]
`

/** A key and a certificate signed by itself, for these names and this time; made by openssl. */
function certificate(names: string, [from, until]: Span): { key: Buffer; cert: Buffer } {
  const folder = mkdtempSync(join(tmpdir(), 'rankward-certificate-'))
  const openssl = (line: string): void =>
    void execFileSync('openssl', line.split(' '), { cwd: folder, stdio: 'ignore' })
  try {
    writeFileSync(join(folder, 'config'), config + names)
    writeFileSync(join(folder, 'index'), '')
    writeFileSync(join(folder, 'serial'), '01')
    openssl('ecparam -name prime256v1 -genkey -noout -out key')
    openssl('req -new -config config -key key -subj /CN=test -out request')
    openssl(
      `ca -selfsign -batch -config config -keyfile key -in request -out cert -notext -startdate ${from} -enddate ${until}`,
    )
    return { key: readFileSync(join(folder, 'key')), cert: readFileSync(join(folder, 'cert')) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const good = (): TlsOptions => certificate('DNS.1=example.test', now)
const refused = { error: 'tls', status: 0 } as const
const answer: Behaviour['answer'] = (socket) => html(socket, pageWith('secure'))

export const tls: readonly Behaviour[] = [
  {
    id: 'H90',
    what: 'signed by itself, for another host',
    scheme: 'https',
    tls: good,
    answer,
    expected: refused,
  },
  {
    id: 'H90',
    what: 'out of date',
    scheme: 'https',
    tls: () => certificate('IP.1=127.0.0.1', past),
    answer,
    expected: refused,
  },
  {
    id: 'H90',
    what: 'not valid yet',
    scheme: 'https',
    tls: () => certificate('IP.1=127.0.0.1', future),
    answer,
    expected: refused,
  },
  {
    id: 'H91',
    what: 'TLS 1.0',
    scheme: 'https',
    tls: () => ({ ...good(), minVersion: 'TLSv1', maxVersion: 'TLSv1', ciphers: 'ALL:@SECLEVEL=0' }),
    answer,
    expected: refused,
  },
  {
    id: 'H91',
    what: 'no encryption',
    scheme: 'https',
    tls: () => ({ ...good(), maxVersion: 'TLSv1.2', ciphers: 'eNULL:@SECLEVEL=0' }),
    answer,
    expected: refused,
  },
  {
    id: 'H92',
    what: 'a handshake that hangs',
    scheme: 'https',
    answer: () => {},
    expected: { error: 'connect-timeout' },
  },
  {
    id: 'H93',
    what: 'plain HTTP where TLS should be',
    scheme: 'https',
    connected: (socket) => void socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'),
    expected: refused,
  },
  {
    id: 'H93',
    what: 'TLS where plain HTTP should be',
    tls: good,
    answer,
    expected: ({ outcome }) => expect(outcome()?.error).toMatch(/^(reset|bad-http|robots)$/),
  },
  {
    id: 'H94',
    what: 'ten thousand names in a certificate',
    scheme: 'https',
    tls: () =>
      certificate(Array.from({ length: 10_000 }, (_, i) => `DNS.${i}=a${i}.example.test`).join('\n'), now),
    answer,
    expected: refused,
  },
]

/** With certificates unchecked: what can be done to a connection that stands. */
export const tlsUnchecked: readonly Behaviour[] = [
  {
    id: 'H90',
    what: 'any certificate, when told to',
    scheme: 'https',
    tls: good,
    answer,
    expected: { title: 'secure' },
  },
  {
    id: 'H95',
    what: 'renegotiation without end',
    scheme: 'https',
    tls: () => ({ ...good(), maxVersion: 'TLSv1.2' }),
    answer: (socket) => {
      const again = (): void => {
        if (socket.destroyed) return
        ;(socket as TLSSocket).renegotiate({}, () => setImmediate(again))
      }
      again()
    },
    expected: ({ outcome }) => expect(outcome()?.error).toMatch(/^(timeout|reset|bad-http|tls)$/),
  },
  {
    id: 'H95',
    what: 'headers without end in tiny records',
    scheme: 'https',
    tls: good,
    answer: (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n')
      endlessly(socket, 'X: y\r\n')
    },
    expected: { error: 'headers-too-large' },
  },
  {
    id: 'H93',
    what: 'a connection that ends without a goodbye',
    scheme: 'https',
    tls: good,
    answer: raw('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf'),
    expected: { status: 200, bytes: 4, truncated: 'disconnect' },
  },
]
