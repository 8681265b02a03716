/**
 * Connects to the NATS servers of a cluster and checks that they can hold a crawl. Every refusal is one line that says what to
 * do; no line contains a secret.
 */
import { jetstreamManager } from '@nats-io/jetstream'
import {
  credsAuthenticator,
  nkeyAuthenticator,
  type NatsConnection,
  type NodeConnectionOptions,
} from '@nats-io/transport-node'
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { checkServerIdentity, type PeerCertificate } from 'node:tls'
import { unreadable } from '../../lib/files/byte-source.ts'
import { RankwardError } from '../../lib/errors.ts'
import {
  clusterAddresses,
  clusterEnvironment,
  type ClusterConnection,
} from '../../crawler/options/cluster-options.ts'
import { connectionFailure, isNotEnabled, isTransient, natsFailure, noJetStream } from './nats-errors.ts'
import { connectNats } from './nats-transport.ts'
import { retried } from './retried.ts'

interface ConnectExtras {
  /** Shown by the servers' monitoring. */
  readonly name?: string | undefined
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined
  /** How long to try all servers at first; 5000 by default. */
  readonly timeoutMs?: number | undefined
}

/** A connection that reconnects for as long as it takes. */
export async function connectCluster(
  options: ClusterConnection,
  extras: ConnectExtras = {},
): Promise<NatsConnection> {
  const { name = 'rankward', environment = process.env, timeoutMs = 5000 } = extras
  const cluster = clusterAddresses(options.cluster)
  const tls = tlsOptions({ ...options, cluster })
  let connection: NatsConnection
  try {
    connection = await connectNats({
      ...authentication(options, environment),
      ...tls,
      servers: cluster.map((address) => address.replace(/^(?:nats|tls):\/\//, '')),
      name,
      timeout: timeoutMs,
      maxReconnectAttempts: -1,
      reconnectTimeWait: 250,
      // The client would otherwise make two errors with their stacks for each request: a sixth of what a group costs.
      noAsyncTraces: true,
    })
  } catch (error) {
    throw connectionFailure(error, cluster, tls.tls !== undefined && options.natsCert === undefined)
  }
  try {
    await checkServer(connection)
    return connection
  } catch (error) {
    await connection.close()
    throw error
  }
}

/** Exactly one way to authenticate, or none. */
function authentication(
  options: ClusterConnection,
  environment: Readonly<Record<string, string | undefined>>,
): Partial<NodeConnectionOptions> {
  const user = options.natsUser ?? environment[clusterEnvironment.user]
  const password = secret(options.natsPasswordFile, environment[clusterEnvironment.password])
  const token = secret(options.natsTokenFile, environment[clusterEnvironment.token])
  const nkey = secret(options.natsNkeyFile, environment[clusterEnvironment.nkey])
  const credentials = options.natsCredentials
  const ways: (readonly [string, string | undefined, () => Partial<NodeConnectionOptions>])[] = [
    ['user and password', user ?? password, () => ofUser(user, password)],
    ['token', token, () => ({ token: token! })],
    ['NKey', nkey, () => ofNkey(nkey!)],
    [
      'credentials',
      credentials,
      () => ({ authenticator: credsAuthenticator(bytesOf(textOf(credentials!))) }),
    ],
  ]
  const given = ways.filter(([, value]) => value !== undefined)
  if (given.length > 1)
    throw new RankwardError(
      'USAGE',
      `Authentication at NATS has ${given.map(([name]) => name).join(' and ')}: give one of them.`,
    )
  const [way] = given
  return way === undefined ? {} : way[2]()
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

function ofUser(user: string | undefined, password: string | undefined): Partial<NodeConnectionOptions> {
  if (user === undefined)
    throw new RankwardError('USAGE', 'There is a password for NATS and no user: add --nats-user.')
  if (password !== undefined) return { user, pass: password }
  throw new RankwardError(
    'USAGE',
    `There is a user for NATS and no password: add --nats-password-file or set ${clusterEnvironment.password}.`,
  )
}

function ofNkey(seed: string): Partial<NodeConnectionOptions> {
  if (/^SU[A-Z2-7]{56}$/.test(seed)) return { authenticator: nkeyAuthenticator(bytesOf(seed)) }
  throw new RankwardError(
    'USAGE',
    'The NKey for NATS is no seed of a user: expected 58 characters, the first two SU.',
  )
}

/** A secret from a file, without the line end, or from the environment. */
function secret(path: string | undefined, given: string | undefined): string | undefined {
  if (path === undefined) return given === '' ? undefined : given
  const text = textOf(path).trim()
  if (text === '') throw new RankwardError('USAGE', `The file ${path} is empty: expected a secret for NATS.`)
  return text
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw unreadable(path, error)
  }
}

/** TLS is required if an address says so, or a file for it is given. Certificates are always checked. */
function tlsOptions({
  cluster,
  natsCa,
  natsCert,
  natsKey,
}: ClusterConnection): Pick<NodeConnectionOptions, 'tls'> {
  if ((natsCert === undefined) !== (natsKey === undefined))
    throw new RankwardError('USAGE', 'A client certificate for NATS needs both --nats-cert and --nats-key.')
  const isTls = cluster.some((address) => address.startsWith('tls:'))
  if (!isTls && natsCa === undefined && natsCert === undefined) return {}
  const tls = {
    ...(natsCa === undefined ? {} : { ca: pemOf(natsCa) }),
    ...(natsCert === undefined || natsKey === undefined
      ? {}
      : { cert: pemOf(natsCert), key: pemOf(natsKey) }),
    checkServerIdentity: identityCheck(cluster),
  }
  return { tls }
}

/**
 * The client gives Node no name for a server with an IP address, and Node then compares with `localhost`. Such a certificate
 * must be for one of the addresses given.
 */
function identityCheck(cluster: readonly string[]) {
  const addresses = cluster
    .map((address) => new URL(address).hostname.replace(/^\[|\]$/g, ''))
    .filter((name) => isIP(name) !== 0)
  return (host: string, certificate: PeerCertificate): Error | undefined => {
    const failure = checkServerIdentity(host, certificate)
    if (failure === undefined || host !== 'localhost') return failure
    return addresses.some((address) => checkServerIdentity(address, certificate) === undefined)
      ? undefined
      : failure
  }
}

function pemOf(path: string): string {
  const text = textOf(path)
  if (text.includes('-----BEGIN ')) return text
  throw new RankwardError('USAGE', `The file ${path} is no PEM file: expected a certificate or a key.`)
}

/** The oldest version on which the protocol is tested. */
const versionMin = [2, 9, 10]
/** The default of nats-server. */
const payloadMin = 1 << 20

/** Checks that a NATS server can hold a crawl: version, JetStream, size of messages, room. */
async function checkServer(connection: NatsConnection): Promise<void> {
  const { info } = connection
  if (info !== undefined) {
    if (isOlder(info.version))
      throw new RankwardError(
        'NATS_UNSUITABLE',
        `The NATS server has version ${info.version}; Rankward needs ${versionMin.join('.')} or newer, the oldest in which appends by two workers at once are tested.`,
      )
    if (info.max_payload < payloadMin)
      throw new RankwardError(
        'NATS_UNSUITABLE',
        `The NATS server accepts messages of ${info.max_payload} bytes; Rankward needs at least ${payloadMin}: set max_payload: 8MB in its configuration.`,
      )
  }
  const lacksJetStream = (error: unknown): boolean => isNotEnabled(error) && info?.jetstream !== true
  try {
    const manager = await jetstreamManager(connection, { checkAPI: false, timeout: 5000 })
    // Servers that have just started elect a leader first.
    const { limits, storage } = await retried(
      () => manager.getAccountInfo(),
      (error) => isTransient(error) && !lacksJetStream(error),
    )
    if (limits.max_storage >= 0 && storage >= limits.max_storage)
      throw new RankwardError(
        'FILE_UNWRITABLE',
        `The NATS account has used all of its ${limits.max_storage} bytes of storage: raise max_file.`,
      )
  } catch (error) {
    throw lacksJetStream(error) ? noJetStream(error) : natsFailure(error)
  }
}

function isOlder(version: string): boolean {
  const parts = version.split(/[.-]/, 3).map(Number)
  for (const [i, least] of versionMin.entries()) {
    if (parts[i] !== least) return parts[i] < least
  }
  return false
}
