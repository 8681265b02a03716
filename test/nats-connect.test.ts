/** Connecting to NATS servers that are configured in different ways: authentication, TLS, permissions, limits. */
import { execFileSync, spawn } from 'node:child_process'
import { readFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { jetstreamManager } from '@nats-io/jetstream'
import { nkeyAuthenticator, nkeys } from '@nats-io/transport-node'
import { connectCluster } from '../src/cluster/jetstream/connect.ts'
import { CrawlStreams } from '../src/cluster/jetstream/crawl-streams.ts'
import { backupCrawl, restoreCrawl } from '../src/cluster/jetstream/backup-crawl.ts'
import { deleteCrawl } from '../src/cluster/jetstream/delete-crawl.ts'
import { JetStreamControl, listCrawls } from '../src/cluster/jetstream/jetstream-control.ts'
import { JetStreamJournal } from '../src/cluster/jetstream/jetstream-journal.ts'
import { JetStreamLinks } from '../src/cluster/jetstream/jetstream-links.ts'
import { JetStreamMembers } from '../src/cluster/jetstream/jetstream-members.ts'
import { JetStreamSnapshots } from '../src/cluster/jetstream/jetstream-snapshots.ts'
import { NatsTurns } from '../src/cluster/jetstream/nats-turns.ts'
import { natsFailure } from '../src/cluster/jetstream/nats-errors.ts'
import { controlStream, journalStream, linksStream } from '../src/cluster/protocol/stream-names.ts'
import { clusterStatus } from '../src/index.ts'
import { RankwardError } from '../src/lib/errors.ts'
import type { ClusterConnection } from '../src/crawler/options/cluster-options.ts'
import { freePorts } from '../src/webgraph/served/listening.ts'
import {
  natsNote,
  natsProgram,
  NatsServers,
  untilDone,
  withoutNats,
  type NatsOptions,
} from './support/nats-server.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
let files = 0
const started: NatsServers[] = []

async function server(options: NatsOptions = {}): Promise<string> {
  const path = join(folder, `server-${files++}`)
  mkdirSync(path)
  const servers = await NatsServers.start(path, options)
  started.push(servers)
  return servers.addresses[0]
}

function fileOf(text: string): string {
  const path = join(folder, `secret-${files++}`)
  writeFileSync(path, `${text}\n`, { mode: 0o600 })
  return path
}

const secret = 'open-sesame-42'
const roles = ['worker', 'operator', 'viewer'] as const
type Role = (typeof roles)[number]
const passwordOf = (role: Role): string => `${secret}-${role}`

/** Connects and closes. */
async function connectOnce(
  address: string,
  options: Omit<ClusterConnection, 'cluster'> = {},
  environment: Record<string, string> = {},
  timeoutMs = 600_000,
): Promise<string> {
  const connection = await connectCluster({ cluster: [address], ...options }, { environment, timeoutMs })
  const { version } = connection.info!
  await connection.close()
  return version
}

/** The error has this code, is one line that matches, and contains no secret, in its causes neither. */
async function expectRefused(attempt: Promise<unknown>, code: string, line: RegExp): Promise<void> {
  const error = await attempt.then(
    () => new Error('was accepted'),
    (reason: unknown) => reason as Error,
  )
  expect(error).toMatchObject({ code })
  expect(error).toBeInstanceOf(RankwardError)
  expect(error.message).toMatch(line)
  expect(error.message).not.toContain('\n')
  for (let at: unknown = error; at instanceof Error; at = at.cause)
    expect(`${at.message} ${at.stack}`).not.toContain(secret)
}

afterAll(() => Promise.all(started.map((servers) => servers.stop())))

describe.skipIf(withoutNats)(`authentication at NATS${natsNote}`, () => {
  it('needs nothing where the server has no users', async () => {
    expect(await connectOnce(await server())).toMatch(/^2\./)
  })

  it('takes a user and a password from a file or from the environment', async () => {
    const login = { user: 'me', pass: secret }
    const address = await server({ config: `authorization { user: me, password: "${secret}" }`, login })
    await connectOnce(address, { natsUser: 'me', natsPasswordFile: fileOf(secret) })
    await connectOnce(address, {}, { RANKWARD_NATS_USER: 'me', RANKWARD_NATS_PASSWORD: secret })
    const wrong = { natsUser: 'me', natsPasswordFile: fileOf('open-says-me') }
    await expectRefused(connectOnce(address, wrong), 'NATS_REFUSED', /refuses the authentication/)
    await expectRefused(connectOnce(address), 'NATS_REFUSED', /refuses the authentication/)
  })

  it('takes a token', async () => {
    const address = await server({
      config: `authorization { token: "${secret}" }`,
      login: { token: secret },
    })
    await connectOnce(address, { natsTokenFile: fileOf(secret) })
    await connectOnce(address, {}, { RANKWARD_NATS_TOKEN: secret })
    await expectRefused(connectOnce(address, { natsTokenFile: fileOf('x') }), 'NATS_REFUSED', /refuses/)
  })

  it('takes an NKey', async () => {
    const pair = nkeys.createUser()
    const seed = new TextDecoder().decode(pair.getSeed())
    const address = await server({
      config: `authorization { users: [ { nkey: ${pair.getPublicKey()} } ] }`,
      login: { authenticator: nkeyAuthenticator(pair.getSeed()) },
    })
    await connectOnce(address, { natsNkeyFile: fileOf(seed) })
    await connectOnce(address, {}, { RANKWARD_NATS_NKEY: seed })
    const other = new TextDecoder().decode(nkeys.createUser().getSeed())
    await expectRefused(connectOnce(address, { natsNkeyFile: fileOf(other) }), 'NATS_REFUSED', /refuses/)
    await expectRefused(connectOnce(address, { natsNkeyFile: fileOf(secret) }), 'USAGE', /no seed of a user/)
  })

  it.each<[string, Omit<ClusterConnection, 'cluster'>, string, RegExp]>([
    ['a user without a password', { natsUser: 'me' }, 'USAGE', /no password/],
    ['a password without a user', { natsPasswordFile: fileOf(secret) }, 'USAGE', /no user/],
    [
      'two ways at once',
      { natsUser: 'me', natsPasswordFile: fileOf(secret), natsTokenFile: fileOf(secret) },
      'USAGE',
      /user and password and token: give one/,
    ],
    ['a file that does not exist', { natsTokenFile: '/none' }, 'FILE_UNREADABLE', /no such file/],
    ['an empty file', { natsTokenFile: fileOf('') }, 'USAGE', /is empty/],
    ['a certificate without a key', { natsCert: '/none' }, 'USAGE', /both --nats-cert and --nats-key/],
  ])('refuses %s', async (_, options, code, line) => {
    await expectRefused(connectOnce('nats://127.0.0.1:1', options), code, line)
  })
})

describe.skipIf(withoutNats)(`TLS to NATS${natsNote}`, () => {
  const pem = (name: string): string => join(folder, `${name}.pem`)
  /** A certificate of this authority; of itself without one. Paths of this test contain no spaces. */
  function certificate(name: string, authority?: string): void {
    const issuer =
      authority === undefined
        ? ''
        : `-CA ${pem(authority)} -CAkey ${pem(`${authority}-key`)} -addext basicConstraints=CA:FALSE `
    const args = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout ${pem(`${name}-key`)} -out ${pem(name)} -days 2 -subj /CN=${name} ${issuer}-addext subjectAltName=IP:127.0.0.1`
    execFileSync('openssl', args.split(' '), { stdio: 'ignore' })
  }
  const tlsConfig = (more = ''): string =>
    `tls { cert_file: "${pem('server')}", key_file: "${pem('server-key')}" ${more} }`

  it('checks the certificate of the server against the given authority, and sends one of its own', async () => {
    certificate('ca')
    certificate('server', 'ca')
    certificate('client', 'ca')
    // The test itself connects without this check: the client compares IP addresses with `localhost`.
    const checkServerIdentity = () => undefined
    const ca = readFileSync(pem('ca'), 'utf8')
    const address = await server({
      config: tlsConfig(),
      login: { tls: { ca, checkServerIdentity } as object },
    })
    await connectOnce(`tls://${address}`, { natsCa: pem('ca') })
    await expectRefused(connectOnce(`tls://${address}`), 'NATS_REFUSED', /unknown authority.*--nats-ca/)
    await expectRefused(connectOnce(address), 'NATS_REFUSED', /unknown authority.*--nats-ca/)
    await expectRefused(
      connectOnce(address.replace('127.0.0.1', 'localhost'), { natsCa: pem('ca') }),
      'NATS_REFUSED',
      /another host name/,
    )
    await expectRefused(connectOnce(`tls://${address}`, { natsCa: fileOf('x') }), 'USAGE', /no PEM file/)

    const [cert, key] = ['client', 'client-key'].map((name) => readFileSync(pem(name), 'utf8'))
    const login = { tls: { ca, cert, key, checkServerIdentity } as object }
    const strict = await server({ config: tlsConfig(`, ca_file: "${pem('ca')}", verify: true`), login })
    await connectOnce(strict, { natsCa: pem('ca'), natsCert: pem('client'), natsKey: pem('client-key') })
    // Only the time limit ends it.
    const refused = connectOnce(strict, { natsCa: pem('ca') }, {}, 1000)
    await expectRefused(refused, 'NATS_UNREACHABLE', /client certificate/)
  })

  it('is never given up where an address asks for it', async () => {
    const address = await server()
    await expectRefused(connectOnce(`tls://${address}`), 'NATS_REFUSED', /does not offer TLS/)
  })
})

describe.skipIf(withoutNats)(`a server that cannot hold a crawl${natsNote}`, () => {
  it('is refused with one line that says what to do', async () => {
    await expectRefused(
      connectOnce(await server({ withoutJetStream: true })),
      'NATS_UNSUITABLE',
      /no JetStream.*jetstream \{/,
    )
    await expectRefused(
      connectOnce(await server({ maxPayload: '64KB' })),
      'NATS_UNSUITABLE',
      /65536 bytes.*max_payload: 8MB/,
    )
    await expectRefused(
      connectOnce('nats://127.0.0.1:1'),
      'NATS_UNREACHABLE',
      /127\.0\.0\.1:1 .* the connection is refused/,
    )
    await expectRefused(
      connectOnce('nats://none.invalid:4222'),
      'NATS_UNREACHABLE',
      /host name does not exist/,
    )
  })

  /** Speaks as a server does at the beginning of a connection. */
  async function greeting(line: string): Promise<string> {
    const fake = createServer((socket) => {
      socket.on('error', () => {})
      socket.on('data', (bytes) => bytes.includes('PING') && socket.write('PONG\r\n'))
      socket.write(line)
    }).listen(0, '127.0.0.1')
    await once(fake, 'listening')
    fake.unref()
    return `127.0.0.1:${(fake.address() as AddressInfo).port}`
  }

  it('is refused if it is too old, speaks another protocol, or says nothing', async () => {
    const info = { server_id: 'x', version: '2.8.4', max_payload: 1 << 20, headers: true, jetstream: true }
    const old = await greeting(`INFO ${JSON.stringify(info)}\r\n`)
    await expectRefused(connectOnce(old), 'NATS_UNSUITABLE', /version 2\.8\.4; Rankward needs 2\.9\.10/)
    const web = await greeting('HTTP/1.1 400 Bad Request\r\n\r\n')
    await expectRefused(connectOnce(web), 'NATS_UNREACHABLE', /another protocol/)
    const silent = await greeting('')
    await expectRefused(connectOnce(silent, {}, {}, 1000), 'NATS_UNREACHABLE', /does not respond/)
  })

  it.each([
    ['a password', `nats://me:${secret}@127.0.0.1:4222`, /without user and password: use --nats-user/],
    ['another scheme', 'http://127.0.0.1:4222', /such as nats:/],
    ['no address', 'nats://', /such as nats:/],
    ['a path', 'nats://127.0.0.1:4222/x', /such as nats:/],
  ])('is refused if its address has %s', async (_, address, line) => {
    await expectRefused(connectOnce(address), 'USAGE', line)
  })

  it('is named with all others if none can be reached', async () => {
    const cluster = ['nats://127.0.0.1:1', 'nats://127.0.0.1:2']
    await expectRefused(
      connectCluster({ cluster }, { environment: {} }),
      'NATS_UNREACHABLE',
      /last one of nats:\/\/127\.0\.0\.1:1, nats:\/\/127\.0\.0\.1:2/,
    )
  })
})

describe.skipIf(withoutNats)(`docs/guide/cluster/nats-server.conf${natsNote}`, () => {
  it('starts three servers that store a crawl three times, with the flags of compose.yaml', async () => {
    const ports = await freePorts(6)
    const routes = ports.slice(3).map((port) => `nats://127.0.0.1:${port}`)
    const conf = readFileSync(join(import.meta.dirname, '../docs/guide/cluster/nats-server.conf'), 'utf8')
    const env = Object.fromEntries(
      roles.map((role) => [`NATS_${role.toUpperCase()}_PASSWORD`, passwordOf(role)]),
    )
    const compose = readFileSync(join(import.meta.dirname, '../deploy/compose.yaml'), 'utf8')
    for (const name of ['n1', 'n2', 'n3'])
      expect(compose).toContain(`-c /etc/nats.conf -n ${name} --routes nats:`)
    const children = [0, 1, 2].map((i) => {
      const path = join(folder, `n${i + 1}.conf`)
      writeFileSync(path, conf.replace('/var/lib/nats', join(folder, `n${i + 1}`)))
      const place = ['-a', '127.0.0.1', '-p', String(ports[i]), '--cluster', routes[i]]
      const args = ['-c', path, '-n', `n${i + 1}`, '--routes', routes.join(','), ...place]
      return spawn(natsProgram!, args, { stdio: 'ignore', env: { ...process.env, ...env } })
    })
    try {
      const as = (role: Role) =>
        untilDone(() =>
          connectCluster(
            {
              cluster: ports.slice(0, 3).map((port) => `127.0.0.1:${port}`),
              natsUser: role,
              natsPasswordFile: fileOf(passwordOf(role)),
            },
            { environment: {} },
          ),
        )
      const worker = await as('worker')
      const parts = { shards: 2, replicas: 3, seeds: ['https://a.example/'], trust: [1], settings: {} }
      await untilDone(async () => {
        await JetStreamControl.create(worker, 'news', parts).catch((error: unknown) => {
          if ((error as RankwardError).code !== 'CRAWL_EXISTS') throw error
        })
      })
      const viewer = await as('viewer')
      const manager = await jetstreamManager(viewer, { checkAPI: false })
      const { cluster } = await untilDone(() => manager.streams.info(controlStream('news')))
      const names = new Set([cluster!.leader, ...cluster!.replicas!.map(({ name }) => name)])
      expect(names).toEqual(new Set(['n1', 'n2', 'n3']))
      expect(viewer.info!.max_payload).toBe(8 << 20)
      await Promise.all([worker.close(), viewer.close()])
    } finally {
      for (const child of children) child.kill('SIGKILL')
    }
  })
})

describe.skipIf(withoutNats)(`the permissions of docs/guide/cluster/nats-server.conf${natsNote}`, () => {
  it('suffice for each role, and no role can do the work of a higher one', async () => {
    const text = readFileSync(join(import.meta.dirname, '../docs/guide/cluster/nats-server.conf'), 'utf8')
    let accounts = text.slice(text.indexOf('accounts {'))
    for (const role of roles)
      accounts = accounts.replace(`$NATS_${role.toUpperCase()}_PASSWORD`, JSON.stringify(passwordOf(role)))
    const address = await server({ config: accounts, login: { user: 'worker', pass: passwordOf('worker') } })
    const as = async (role: Role) =>
      connectCluster(
        { cluster: [`nats://${address}`], natsUser: role, natsPasswordFile: fileOf(passwordOf(role)) },
        { environment: {} },
      )
    const crawl = 'news'
    const [worker, operator, viewer] = await Promise.all(roles.map(as))
    const parts = { shards: 2, replicas: 1, seeds: ['https://a.example/'], trust: [1], settings: {} }

    await JetStreamControl.create(worker, crawl, parts)
    const journal = await JetStreamJournal.open({
      connection: worker,
      stream: journalStream(crawl, 0),
      replicas: 1,
    })
    expect(await journal.append({ writer: 'w', group: 1, after: 0, bytes: Buffer.from('group') })).toBe(1)
    const links = await JetStreamLinks.open({ connection: worker, stream: linksStream(crawl), replicas: 1 })
    expect(await links.publish(Buffer.from('links'))).toBe(true)
    expect((await links.read(0)).position).toBe(1)
    await links.purge(1)
    const turns = new NatsTurns(worker, crawl)
    turns.listen(
      'w',
      () => ({ seconds: 1, waitSeconds: 0 }),
      (error) => expect.unreachable(String(error)),
    )
    const turn = await new Promise((resolve) =>
      turns.request('w', { from: 'w', address: '192.0.2.1' }, resolve),
    )
    expect(turn).toEqual({ seconds: 1, waitSeconds: 0 })
    turns.close()
    const members = await JetStreamMembers.open(worker, crawl, 'w1', 1)
    expect([...(await members.beat()).keys()]).toEqual(['w1'])
    await members.leave()
    const streams = await CrawlStreams.open({ connection: worker, crawl, shards: 2, replicas: 1 })
    const again = new Promise((resolve, reject) => {
      streams.onAskedAgain((source, from) => resolve([source, from]), reject)
    })
    streams.askAgain(1, 7)
    expect(await again).toEqual([1, 7])
    streams.close()
    const snapshots = await JetStreamSnapshots.open(worker, crawl, 1)
    await snapshots.put({ shard: 0, sequence: 1, writer: 'w', group: 1 }, [Buffer.alloc(200_000)])
    expect(await snapshots.list(0)).toHaveLength(1)
    expect(await snapshots.removeUnfinished(0)).toBe(0)
    await journal.purge(1)

    expect(await listCrawls(viewer)).toEqual([crawl])
    const read = async (connection: typeof viewer) => {
      const shared = { connection, stream: journalStream(crawl, 0), replicas: 1 }
      const bytes = (await (await JetStreamJournal.open(shared)).lastGroup())!.bytes
      expect(Buffer.from(bytes).toString()).toBe('group')
      for await (const { sequence } of (await JetStreamJournal.open(shared)).read(0)) expect(sequence).toBe(1)
    }
    await read(viewer)
    await read(operator)
    expect((await (await JetStreamControl.open(operator, crawl)).command({ kind: 'pause' })).isPaused).toBe(
      true,
    )

    // Their last groups are no groups of a crawl, so the status of an empty crawl is read.
    await JetStreamControl.create(worker, 'empty', parts)
    for (const role of ['operator', 'viewer'] as const) {
      const login = { natsUser: role, natsPasswordFile: fileOf(passwordOf(role)) }
      expect(await clusterStatus({ cluster: [address], name: 'empty', ...login })).toMatchObject({
        phase: 'running',
        workers: [],
      })
    }

    const attempt = async (run: () => Promise<unknown>): Promise<unknown> =>
      run().catch((error: unknown) => {
        throw natsFailure(error)
      })
    await expectRefused(
      attempt(async () => (await JetStreamControl.open(viewer, crawl)).command({ kind: 'resume' })),
      'NATS_REFUSED',
      /may not publish to RW\.RW_news_CONTROL.*docs\/reference\/cluster\.md/,
    )
    await expectRefused(
      attempt(async () => {
        const other = await JetStreamJournal.open({
          connection: operator,
          stream: journalStream(crawl, 0),
          replicas: 1,
        })
        await other.append({ writer: 'o', group: 1, after: 1, bytes: Buffer.from('x') })
      }),
      'NATS_REFUSED',
      /may not publish to RW\.RW_news_J0/,
    )
    await expectRefused(
      attempt(() => JetStreamControl.create(operator, 'other', parts)),
      'NATS_REFUSED',
      /may not publish to \$JS\.API\.STREAM\.CREATE/,
    )
    await expectRefused(
      attempt(() => deleteCrawl(operator, crawl)),
      'NATS_REFUSED',
      /may not publish to \$JS\.API\.STREAM\.DELETE/,
    )
    const backup = join(folder, 'backup')
    await expectRefused(
      attempt(() => backupCrawl(operator, crawl, join(folder, 'no-backup'))),
      'NATS_REFUSED',
      /may not publish to \$JS\.API\.STREAM\.SNAPSHOT/,
    )
    await backupCrawl(worker, crawl, backup)
    const { streams: stored } = await deleteCrawl(worker, crawl)
    expect(stored).toBeGreaterThan(4)
    expect(await restoreCrawl(worker, backup)).toMatchObject({ name: crawl, streams: stored })
    expect((await deleteCrawl(worker, crawl)).streams).toBe(stored)
    expect(await listCrawls(viewer)).toEqual(['empty'])
  })
})
