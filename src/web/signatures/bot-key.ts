/**
 * The key of a crawler that signs its requests (Web Bot Auth): Ed25519, as a JSON Web Key. Its name is its thumbprint (RFC 7638). The
 * public part is published in a key directory, which the Signature-Agent header of requests names.
 */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto'

/** The public part, as published. Times are in seconds of the epoch. */
export interface PublicKey {
  readonly kty: 'OKP'
  readonly crv: 'Ed25519'
  readonly x: string
  readonly kid: string
  readonly use: 'sig'
  readonly nbf?: number | undefined
  readonly exp?: number | undefined
}

/** The contents of a key file. */
export interface PrivateKey extends PublicKey {
  readonly d: string
}

/** Where a site publishes its keys. */
export const directoryPath = '/.well-known/http-message-signatures-directory'

/** `seconds`: how long it is valid from `nowSeconds` on. */
export function makeKey(nowSeconds: number, seconds: number): PrivateKey {
  const { privateKey } = generateKeyPairSync('ed25519')
  const start = Math.floor(nowSeconds)
  return { ...keyOf(privateKey), nbf: start, exp: start + Math.floor(seconds) }
}

/** Reads a key file: a private JSON Web Key, or PEM as openssl writes it. Throws an error that says what is wrong, without the key. */
export function readKey(text: string): PrivateKey {
  return text.trimStart().startsWith('{') ? readJsonKey(text) : keyOf(readPem(text))
}

function readPem(pem: string): KeyObject {
  let key: KeyObject
  try {
    key = createPrivateKey(pem)
  } catch {
    throw new Error(
      /^-----BEGIN .*ENCRYPTED|^Proc-Type: 4,ENCRYPTED/m.test(pem)
        ? 'it is encrypted: store it without a passphrase'
        : 'it is neither a private key in PEM nor a JSON Web Key',
    )
  }
  return checkedKind(key)
}

function readJsonKey(json: string): PrivateKey {
  let given: Record<string, unknown>
  let key: KeyObject
  try {
    given = JSON.parse(json) as Record<string, unknown>
  } catch {
    throw new Error('it is not valid JSON')
  }
  if (given.d === undefined && given.x !== undefined) throw new Error('it has the public part of a key only')
  try {
    key = createPrivateKey({ key: given as never, format: 'jwk' })
  } catch {
    throw new Error('it is not a private JSON Web Key')
  }
  return { ...keyOf(checkedKind(key)), nbf: timeOf(given, 'nbf'), exp: timeOf(given, 'exp') }
}

function checkedKind(key: KeyObject): KeyObject {
  if (key.asymmetricKeyType === 'ed25519') return key
  throw new Error(`it is a key of the kind ${key.asymmetricKeyType ?? 'secret'}, and Ed25519 is needed`)
}

/** The last second that a Date can have. */
const timeMax = 8.64e12

/** A time that cannot be read is an error: the key might have expired. */
function timeOf(given: Record<string, unknown>, name: 'nbf' | 'exp'): number | undefined {
  const value = given[name]
  if (value === undefined || (typeof value === 'number' && value >= 0 && value <= timeMax)) return value
  throw new Error(`its "${name}" is not a time in seconds since 1970`)
}

function keyOf(key: KeyObject): PrivateKey {
  const { d = '' } = key.export({ format: 'jwk' })
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' })
  return { kty: 'OKP', crv: 'Ed25519', x, d, kid: thumbprint(x), use: 'sig' }
}

function thumbprint(x: string): string {
  return createHash('sha256')
    .update(JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x }))
    .digest('base64url')
}

/** Why it must not be used at this time; undefined if it may. */
export function keyProblem({ nbf, exp }: PublicKey, nowSeconds: number): string | undefined {
  if (exp !== undefined && exp <= nowSeconds) return `it expired at ${timeText(exp)}`
  return nbf !== undefined && nbf > nowSeconds ? `it is valid from ${timeText(nbf)} on` : undefined
}

const timeText = (seconds: number): string => new Date(1000 * seconds).toISOString()

/** The content of the key directory. */
export function keyDirectory(keys: readonly PrivateKey[]): { readonly keys: readonly PublicKey[] } {
  return { keys: keys.map(({ d: _secret, ...published }) => published) }
}
