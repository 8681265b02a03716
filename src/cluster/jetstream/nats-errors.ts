/** Failures of NATS as one line each, with what to do. The lines never contain what the user gave as a secret. */
import { JetStreamApiError } from '@nats-io/jetstream'
import { errors, type NatsConnection } from '@nats-io/transport-node'
import { RankwardError, type ErrorCode } from '../../lib/errors.ts'

const insufficientResources = 10_023
/** Of the account. */
const resourcesExceeded = 10_002
const maximumBytes = 10_077
const notEnabledForAccount = 10_039
/** Fewer servers than replicas are up and have room. */
const noPeers = 10_005
/** The servers elect a leader, or too few of them run. */
const temporarilyUnavailable = 10_008
/** Consumers are made by Rankward, and used at once: a server has lost it. */
const consumerNotFound = 10_014
const transientCodes = new Set([temporarilyUnavailable, consumerNotFound])

/**
 * Requests are repeated for so long while NATS is in a state that passes by itself: an election takes up to nine seconds, and a server
 * that returns may cause another one.
 */
export const transientSeconds = 30

const fullStoreCodes = new Set([insufficientResources, resourcesExceeded, maximumBytes])

const untrusted = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])

interface FailureRow {
  readonly is: (cause: Error & { code?: string }) => boolean
  readonly code: ErrorCode
  /** After "the NATS server at …". */
  readonly line: string
}

/** The first row that fits one of the causes counts. */
const failures: readonly FailureRow[] = [
  {
    is: (cause) => cause instanceof errors.AuthorizationError,
    code: 'NATS_REFUSED',
    line: 'refuses the authentication: check the user and password, token, NKey or credentials.',
  },
  {
    is: ({ code = '' }) => untrusted.has(code),
    code: 'NATS_REFUSED',
    line: "has a certificate of an unknown authority: give the authority's certificate with --nats-ca.",
  },
  {
    is: ({ code }) => code === 'ERR_TLS_CERT_ALTNAME_INVALID',
    code: 'NATS_REFUSED',
    line: 'has a certificate for another host name or address.',
  },
  {
    is: ({ code }) => code === 'CERT_HAS_EXPIRED',
    code: 'NATS_REFUSED',
    line: 'has a certificate that has expired.',
  },
  {
    is: ({ message }) => /tls.*not available|not support 'tls'/.test(message),
    code: 'NATS_REFUSED',
    line: 'does not offer TLS: configure TLS there, or use a nats:// address.',
  },
  {
    is: ({ code }) => code === 'ENOTFOUND' || code === 'EAI_AGAIN',
    code: 'NATS_UNREACHABLE',
    line: 'cannot be reached: the host name does not exist.',
  },
  {
    is: ({ message }) => /unexpected response/.test(message),
    code: 'NATS_UNREACHABLE',
    line: 'speaks another protocol. The port of clients is usually 4222.',
  },
  {
    is: ({ code, message }) => code === 'ECONNREFUSED' || /refused/.test(message),
    code: 'NATS_UNREACHABLE',
    line: 'cannot be reached: the connection is refused. Is nats-server running, and is the port right?',
  },
  {
    is: ({ code }) => code?.startsWith('ERR_OSSL') === true || code?.startsWith('ERR_SSL') === true,
    code: 'NATS_REFUSED',
    line: 'ended the TLS handshake: check the files of --nats-ca, --nats-cert and --nats-key.',
  },
]

/** Why no connection was made. A server that requires a client certificate closes the connection without a reason. */
export function connectionFailure(
  error: unknown,
  addresses: readonly string[],
  lacksCertificate: boolean,
): RankwardError {
  if (error instanceof RankwardError) return error
  const servers =
    addresses.length === 1 ? 'The NATS server at' : 'None of the NATS servers can be used. The last one of'
  const causes = causesOf(error)
  const row = failures.find(({ is }) => causes.some(is))
  const silent = `does not respond: check the address${lacksCertificate ? ', the firewall, and whether it requires a client certificate (--nats-cert)' : ' and the firewall'}.`
  return new RankwardError(
    row?.code ?? 'NATS_UNREACHABLE',
    `${servers} ${addresses.join(', ')} ${row?.line ?? silent}`,
    { cause: error },
  )
}

/** An operation that the user has no permission for; undefined for other errors. */
export function permissionFailure(error: unknown): RankwardError | undefined {
  const violation = causesOf(error).find((cause) => cause instanceof errors.PermissionViolationError)
  if (violation === undefined) return undefined
  const { operation, subject } = violation
  return new RankwardError(
    'NATS_REFUSED',
    `The NATS user may not ${operation === 'publish' ? 'publish' : 'subscribe'} to ${subject}: docs/reference/cluster.md has the permissions that Rankward needs.`,
    { cause: error },
  )
}

/** Why an append to a stream cannot succeed, however often it is repeated; undefined if it may. */
export function lastingFailure(
  connection: NatsConnection,
  stream: string,
  error: unknown,
): RankwardError | undefined {
  const code = error instanceof JetStreamApiError ? error.code : 0
  if (fullStoreCodes.has(code)) return fullStore(stream, error)
  return connection.isClosed() ? closedConnection(stream, error) : permissionFailure(error)
}

function fullStore(stream: string, cause: unknown): RankwardError {
  return new RankwardError(
    'FILE_UNWRITABLE',
    `The stream ${stream} has no room for another message: raise max_file of the NATS servers, or the limit of the account or of the stream.`,
    { cause },
  )
}

export function closedConnection(stream: string, cause: unknown): RankwardError {
  return new RankwardError(
    'FILE_UNWRITABLE',
    `The connection to NATS was closed while ${stream} was written.`,
    { cause },
  )
}

/** An error of NATS after a connection was made; others are returned as they are. */
export function natsFailure(error: unknown): unknown {
  if (error instanceof RankwardError) return error
  const causes = causesOf(error)
  const forbidden = permissionFailure(error)
  if (forbidden !== undefined) return forbidden
  const api = causes.find((cause) => cause instanceof JetStreamApiError)
  if (api?.code === notEnabledForAccount) return noJetStream(error)
  if (api?.code === insufficientResources)
    return new RankwardError(
      'FILE_UNWRITABLE',
      'The NATS servers have no room for another stream: raise max_file (or the limits of the account) in their configuration.',
      { cause: error },
    )
  if (api?.code === noPeers)
    return new RankwardError(
      'NATS_UNSUITABLE',
      'Fewer NATS servers than --replicas run and have room for a stream: start the others, or lower --replicas.',
      { cause: error },
    )
  if (isTransient(error))
    return new RankwardError(
      'NATS_UNREACHABLE',
      `JetStream on the NATS servers did not respond for ${transientSeconds} seconds, longer than an election takes: check that a majority of the servers runs, that they reach each other, and that their disks are not full.`,
      { cause: error },
    )
  if (api !== undefined)
    return new RankwardError('NATS_UNSUITABLE', `The NATS server refuses a request: ${api.message}.`, {
      cause: error,
    })
  if (causes.some((cause) => cause instanceof errors.ClosedConnectionError))
    return new RankwardError('NATS_UNREACHABLE', 'The connection to NATS was closed.', { cause: error })
  return error
}

/**
 * True of states that pass by themselves: the servers start or elect a leader, or a request or a consumer was lost with a server. The
 * package does not export the class of the latter.
 */
export function isTransient(error: unknown): boolean {
  if (error instanceof RankwardError) return false
  return causesOf(error).some(
    (cause) =>
      isNotEnabled(cause) ||
      cause instanceof errors.NoRespondersError ||
      cause instanceof errors.TimeoutError ||
      cause.name === 'JetStreamStatusError' ||
      (cause instanceof JetStreamApiError && transientCodes.has(cause.code)),
  )
}

/** True if too few servers for a new stream run and have room. */
export function lacksServers(error: unknown): boolean {
  return error instanceof JetStreamApiError && error.code === noPeers
}

export function noJetStream(cause?: unknown): RankwardError {
  return new RankwardError(
    'NATS_UNSUITABLE',
    'The NATS server has no JetStream, which stores the crawl: add `jetstream { store_dir: … }` to its configuration, and enable it for the account.',
    { cause },
  )
}

/** Servers without JetStream, and servers that have no leader yet. The package does not export the class. */
export function isNotEnabled(error: unknown): boolean {
  return error instanceof Error && error.name === 'JetStreamNotEnabled'
}

/** The error, its causes, and their causes. */
function causesOf(error: unknown): Error[] {
  const causes: Error[] = []
  for (let at: unknown = error; at instanceof Error && causes.length < 10; at = at.cause) causes.push(at)
  return causes
}
