/**
 * The options of everything that connects to a cluster, defined as in `option-table.ts`. Secrets are read from files or from the
 * environment, never from the command line, where other users of the machine could read them.
 */
import { RankwardError } from '../../lib/errors.ts'
import { anyText, type ValueKind } from '../../lib/value-kinds.ts'
import { isUrl } from '../../lib/host.ts'

export interface ClusterConnection {
  /** Addresses of the NATS servers, such as `nats://10.0.0.1:4222`. */
  readonly cluster: readonly string[]
  /** The name of a user; the password is in `natsPasswordFile`. */
  readonly natsUser?: string | undefined
  readonly natsPasswordFile?: string | undefined
  /** A file with a token. */
  readonly natsTokenFile?: string | undefined
  /** A file with the seed of an NKey (SU…). */
  readonly natsNkeyFile?: string | undefined
  /** A file with credentials, as `nsc` writes it. */
  readonly natsCredentials?: string | undefined
  /** PEM files for TLS: certificates of authorities, and a certificate of this client with its key. */
  readonly natsCa?: string | undefined
  readonly natsCert?: string | undefined
  readonly natsKey?: string | undefined
}

/** A crawl on a cluster. */
export interface ClusterCrawlOptions extends ClusterConnection {
  readonly name: string
}

/** Environment variables that are used if the option is not given. Secrets themselves, not files. */
export const clusterEnvironment = {
  user: 'RANKWARD_NATS_USER',
  password: 'RANKWARD_NATS_PASSWORD',
  token: 'RANKWARD_NATS_TOKEN',
  nkey: 'RANKWARD_NATS_NKEY',
} as const

const addressExample = 'the address of a NATS server such as nats://10.0.0.1:4222 or tls://nats.example:4222'

/** A refusal never repeats the address, which may contain a password: a ValueError would be shown with it. */
const refused = (expected: string): RankwardError =>
  new RankwardError('USAGE', `--cluster has no valid address. Expected ${expected}.`)

const address: ValueKind<string> = {
  read: (text) => {
    const withScheme = /^[a-z][\w+.-]*:\/\//i.test(text) ? text : `nats://${text}`
    const url = isUrl(withScheme) ? new URL(withScheme) : undefined
    if (url === undefined || !/^(?:nats|tls):$/.test(url.protocol) || url.hostname === '')
      throw refused(addressExample)
    if (url.username !== '' || url.password !== '')
      throw refused(
        `an address without user and password: use --nats-user with --nats-password-file or ${clusterEnvironment.password}`,
      )
    if ((url.pathname !== '' && url.pathname !== '/') || url.search !== '' || url.hash !== '')
      throw refused(addressExample)
    return `${url.protocol}//${url.hostname}:${url.port === '' ? '4222' : url.port}`
  },
  json: ['string'],
}

const file = (about: string) => ({
  form: 'value' as const,
  placeholder: 'file',
  kind: anyText('a path'),
  about,
  isPath: true,
})

export const clusterRows = {
  cluster: {
    form: 'list' as const,
    placeholder: 'address',
    kind: address,
    about: 'NATS server of the cluster: nats://10.0.0.1:4222, or tls://… for TLS; may be repeated',
  },
  natsUser: {
    form: 'value' as const,
    placeholder: 'name',
    kind: anyText('a user name'),
    about: `user at the NATS servers (or ${clusterEnvironment.user})`,
  },
  natsPasswordFile: file(`file with the user's password (or ${clusterEnvironment.password})`),
  natsTokenFile: file(`file with a token, instead of a user (or ${clusterEnvironment.token})`),
  natsNkeyFile: file(`file with the seed of an NKey (or ${clusterEnvironment.nkey})`),
  natsCredentials: file('file with credentials, as nsc writes it'),
  natsCa: file('PEM file of authorities that the servers’ certificates are checked against'),
  natsCert: file('PEM file of a client certificate'),
  natsKey: file('PEM file of its private key'),
}

/** The addresses of a cluster in full; USAGE if one is none. */
export function clusterAddresses(cluster: readonly string[]): string[] {
  if (cluster.length === 0)
    throw new RankwardError('USAGE', 'No server of the cluster is given: add --cluster nats://host:4222.')
  return cluster.map((text) => address.read(text))
}

export type ClusterOptionName = keyof typeof clusterRows
