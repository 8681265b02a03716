/** H90 to H95: certificates that are wrong, old versions, handshakes that hang, floods after them. */
import type { TLSSocket, TlsOptions } from 'node:tls'
import { expect } from 'vitest'
import { pageWith } from '../support/small-web.ts'
import { certificate, future, now, past } from './certificates.ts'
import type { Behaviour } from './hostile-web.ts'
import { endlessly, html, raw } from './raw-answers.ts'

const good = (): TlsOptions => certificate('DNS.1=example.test', now)
const refused = { error: 'tls', status: 0 } as const
/** Refused, and the record says why in OpenSSL's words. */
const refusedFor =
  (why: RegExp): Behaviour['expected'] =>
  ({ outcome }) => {
    expect(outcome()).toMatchObject(refused)
    expect(outcome()?.failureText).toMatch(why)
  }
let renegotiations = 0
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
    id: 'H92',
    what: 'a handshake that hangs',
    hangs: true,
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
  ...(['TLSv1', 'TLSv1.1'] as const).map((version): Behaviour => ({
    id: 'H91',
    what: `${version} and nothing newer`,
    scheme: 'https',
    tls: () => ({ ...good(), minVersion: version, maxVersion: version, ciphers: 'ALL:@SECLEVEL=0' }),
    answer,
    expected: refusedFor(/protocol version|unsupported protocol/i),
  })),
  {
    id: 'H91',
    what: 'no encryption',
    scheme: 'https',
    tls: () => ({ ...good(), maxVersion: 'TLSv1.2', ciphers: 'eNULL:@SECLEVEL=0' }),
    answer,
    expected: refusedFor(/handshake failure/i),
  },
  {
    id: 'H95',
    what: 'renegotiation without end',
    hangs: true,
    scheme: 'https',
    tls: () => ({ ...good(), maxVersion: 'TLSv1.2' }),
    answer: (socket) => {
      const again = (): void => {
        if (socket.destroyed) return
        ;(socket as TLSSocket).renegotiate({}, () => {
          renegotiations++
          setImmediate(again)
        })
      }
      again()
    },
    expected: ({ outcome }) => {
      expect(outcome()).toMatchObject({ status: 0, error: 'timeout', attempts: 2 })
      // How many there are depends on the machine.
      expect(renegotiations).toBeGreaterThan(1)
    },
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
