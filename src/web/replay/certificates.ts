/**
 * Certificates for a server that speaks for every host: an authority that exists while the server runs, and a certificate of it for
 * each host name. X.509 v3 with ECDSA P-256 (RFC 5280); Node signs and has the keys, but does not write certificates.
 */
import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'
import { isIPv4, isIPv6 } from 'node:net'
import { createSecureContext, type SecureContext } from 'node:tls'

const dayMs = 86_400_000
const hostsMax = 1000

export class CertificateAuthority {
  /** Of the authority: clients that trust it trust every host here. */
  readonly certificate: string
  readonly #keys = keyPair()
  /** All hosts have the same key. */
  readonly #hostKeys = keyPair()
  readonly #contexts = new Map<string, SecureContext>()
  readonly #nowMs: number

  constructor(nowMs: number) {
    this.#nowMs = nowMs
    const keyId = keyIdOf(this.#keys.publicKey)
    this.certificate = this.#issue(authorityName, this.#keys.publicKey, [
      extension(oid.basicConstraints, sequence(boolean(true)), true),
      extension(oid.keyUsage, bitString(Buffer.of(0b0000_0110), 1), true), // certificates and revocation lists
      extension(oid.subjectKeyId, octets(keyId)),
    ])
  }

  /** `host`: a name or an address, without brackets. */
  contextFor(host: string): SecureContext {
    const known = this.#contexts.get(host)
    if (known !== undefined) return known
    const cert = this.issueFor(host)
    const key = this.#hostKeys.privateKey.export({ type: 'pkcs8', format: 'pem' })
    const context = createSecureContext({ key, cert: cert + this.certificate })
    if (this.#contexts.size >= hostsMax) this.#contexts.clear()
    this.#contexts.set(host, context)
    return context
  }

  /** As PEM. */
  issueFor(host: string): string {
    return this.#issue('Archived site', this.#hostKeys.publicKey, [
      extension(oid.subjectAltName, sequence(alternativeName(host)), true),
      extension(oid.extendedKeyUsage, sequence(oid.serverAuth)),
      extension(oid.authorityKeyId, sequence(tagged(0x80, keyIdOf(this.#keys.publicKey)))),
    ])
  }

  #issue(name: string, publicKey: KeyObject, extensions: readonly Buffer[]): string {
    const algorithm = sequence(oid.ecdsaWithSha256)
    const content = sequence(
      tagged(0xa0, integer(Buffer.of(2))), // version 3
      integer(Buffer.concat([Buffer.of(1), randomBytes(15)])),
      algorithm,
      commonName(authorityName),
      sequence(time(this.#nowMs - dayMs), time(this.#nowMs + 90 * dayMs)),
      commonName(name),
      publicKey.export({ type: 'spki', format: 'der' }),
      tagged(0xa3, sequence(...extensions)),
    )
    const signature = sign('sha256', content, this.#keys.privateKey)
    const base64 = sequence(content, algorithm, bitString(signature)).toString('base64')
    const lines = base64.match(/.{1,64}/g) ?? []
    return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
  }
}

const authorityName = 'Rankward archive (for this session)'

const keyPair = (): { publicKey: KeyObject; privateKey: KeyObject } =>
  generateKeyPairSync('ec', { namedCurve: 'prime256v1' })

const keyIdOf = (key: KeyObject): Buffer =>
  createHash('sha1')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest()

/** DER (X.690): a tag, the length of the content, the content. */
function tagged(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const bytes = Buffer.concat(content)
  const { length } = bytes
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), bytes])
}

const sequence = (...content: readonly Uint8Array[]): Buffer => tagged(0x30, ...content)
const integer = (bytes: Buffer): Buffer => tagged(0x02, bytes)
const boolean = (value: boolean): Buffer => tagged(0x01, Buffer.of(value ? 0xff : 0))
const octets = (bytes: Buffer): Buffer => tagged(0x04, bytes)
const bitString = (bytes: Buffer, unused = 0): Buffer => tagged(0x03, Buffer.of(unused), bytes)
const text = (value: string): Buffer => tagged(0x0c, Buffer.from(value))

/** Years up to 2049 have two digits in certificates. */
function time(ms: number): Buffer {
  const digits = new Date(ms).toISOString().replace(/\D/g, '').slice(0, 14)
  return digits < '2050'
    ? tagged(0x17, Buffer.from(`${digits.slice(2)}Z`))
    : tagged(0x18, Buffer.from(`${digits}Z`))
}

const identifier = (hex: string): Buffer => tagged(0x06, Buffer.from(hex, 'hex'))

const oid = {
  commonName: identifier('550403'),
  subjectKeyId: identifier('551d0e'),
  keyUsage: identifier('551d0f'),
  subjectAltName: identifier('551d11'),
  basicConstraints: identifier('551d13'),
  authorityKeyId: identifier('551d23'),
  extendedKeyUsage: identifier('551d25'),
  serverAuth: identifier('2b06010505070301'),
  ecdsaWithSha256: identifier('2a8648ce3d040302'),
}

const commonName = (name: string): Buffer => sequence(tagged(0x31, sequence(oid.commonName, text(name))))

function extension(id: Buffer, value: Buffer, isCritical = false): Buffer {
  return sequence(id, ...(isCritical ? [boolean(true)] : []), octets(value))
}

function alternativeName(host: string): Buffer {
  if (isIPv4(host)) return tagged(0x87, Buffer.from(host.split('.').map(Number)))
  if (isIPv6(host)) return tagged(0x87, ipv6Bytes(host))
  return tagged(0x82, Buffer.from(host, 'latin1'))
}

/** Without a zone and without dots: as URLs have it. */
function ipv6Bytes(host: string): Buffer {
  const [before, after] = host.split('::').map((part) => (part === '' ? [] : part.split(':')))
  const zeros = after === undefined ? 0 : 8 - before.length - after.length
  const groups = [...before, ...Array.from({ length: zeros }, () => '0'), ...(after ?? [])]
  return Buffer.from(groups.map((group) => group.padStart(4, '0')).join(''), 'hex')
}
