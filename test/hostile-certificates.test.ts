/**
 * H90: certificates that are wrong in one way each, judged by a crawl that trusts the authority they come from (or do
 * not). The policy: a wrong certificate is refused, and the record says why; revocation is not checked.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { TlsOptions } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasOpenssl } from '../src/crawler/fetch/fetch-thread.cases.ts'
import { readWarc } from '../src/web/warc/reader.ts'
import { commandEnd, startRankward } from './command-line.ts'
import { Authority, certificate, future, now, past } from './hostile/certificates.ts'
import { type Behaviour, type HostileWeb, serveHostile } from './hostile/hostile-web.ts'
import { html } from './hostile/raw-answers.ts'
import { pageRecords, type PageRecord } from './support/crawl-records.ts'
import { pageWith } from './support/small-web.ts'
import { temporaryFolder } from './temporary-folder.ts'

const group = 20
const folder = temporaryFolder()

interface Case {
  readonly what: string
  readonly make: (trusted: Authority, foreign: Authority, names: string) => () => TlsOptions
  /** OpenSSL's name for what is wrong; undefined: the page is fetched. */
  readonly refusedFor: string | undefined
}

const cases: readonly Case[] = [
  { what: 'right', make: (ca, _, names) => () => ca.issue(names, now), refusedFor: undefined },
  { what: 'expired', make: (ca, _, names) => () => ca.issue(names, past), refusedFor: 'CERT_HAS_EXPIRED' },
  {
    what: 'not yet valid',
    make: (ca, _, names) => () => ca.issue(names, future),
    refusedFor: 'CERT_NOT_YET_VALID',
  },
  {
    what: 'self-signed',
    make: (_ca, _, names) => () => certificate(names, now),
    refusedFor: 'DEPTH_ZERO_SELF_SIGNED_CERT',
  },
  {
    what: 'for another host',
    make: (ca) => () => ca.issue('IP.1=127.3.9.9\nDNS.1=example.test', now),
    refusedFor: 'ERR_TLS_CERT_ALTNAME_INVALID',
  },
  {
    what: 'of an unknown root',
    make: (_ca, foreign, names) => () => foreign.issue(names, now),
    refusedFor: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  },
  {
    what: 'revoked, which nobody looks for: SECURITY.md says so',
    make: (ca, _, names) => () => {
      const issued = ca.issue(names, now)
      expect(ca.revoke()).toContain('Revoked Certificates:')
      return issued
    },
    refusedFor: undefined,
  },
]

describe.skipIf(!hasOpenssl())('a certificate that is (H90)', () => {
  let web: HostileWeb
  let checked: PageRecord[]
  let unchecked: PageRecord[]

  beforeAll(async () => {
    const [trusted, foreign] = [new Authority(), new Authority()]
    const behaviours = cases.map(({ what, make }, index): Behaviour => ({
      id: 'H90',
      what,
      scheme: 'https',
      tls: make(trusted, foreign, `IP.1=127.3.${group}.${index + 1}`),
      answer: (socket) => html(socket, pageWith(what)),
      expected: {},
    }))
    web = await serveHostile(group, behaviours)
    const crawl = async (out: string, ...more: string[]): Promise<PageRecord[]> => {
      const args = [
        'crawl',
        ...web.seeds,
        '--out',
        join(folder, out),
        '--allow-private',
        '--wait',
        '0',
        ...more,
      ]
      const env = { NODE_EXTRA_CA_CERTS: trusted.rootPath }
      const end = await commandEnd(startRankward([...args, '--json'], folder, env))
      expect(end).toMatchObject({ stderr: '', exitCode: 0 })
      return pageRecords(join(folder, out))
    }
    checked = await crawl('checked')
    unchecked = await crawl('unchecked', '--insecure')
    for (const authority of [trusted, foreign]) authority.close()
  })

  afterAll(() => web.close())

  it.each(cases.map((one, index) => ({ ...one, index })))('$what', ({ what, refusedFor, index }) => {
    const outcomes = [checked, unchecked].map(
      (records) => records.find(({ url }) => url === web.seeds[index])?.outcome,
    )
    expect(outcomes[1]).toMatchObject({ status: 200, title: what })
    if (refusedFor === undefined) expect(outcomes[0]).toMatchObject({ status: 200, title: what })
    else {
      expect(outcomes[0]).toMatchObject({ status: 0, error: 'tls' })
      expect(outcomes[0]?.failureText).toContain(refusedFor)
    }
  })

  it.each([
    ['checked', 'certificates: checked, except for revocation; invalid ones refused'],
    ['unchecked', 'certificates: not checked'],
  ])('in an archive that says what was done: %s', (out, line) => {
    const warc = join(folder, out, 'warc')
    const names = readdirSync(warc).filter((name) => name.endsWith('.warc.gz'))
    expect(names.length).toBeGreaterThan(0)
    for (const name of names) {
      const [info] = readWarc(join(warc, name))
      expect(info.block.toString()).toContain(`${line}\r\n`)
    }
  })
})
