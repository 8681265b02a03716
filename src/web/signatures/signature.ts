/**
 * Signatures of HTTP messages (RFC 9421) for Web Bot Auth, as draft-meunier-web-bot-auth-architecture has them: over the authority of a
 * request and the Signature-Agent header, which names the key directory. There is no nonce: a signature is used for all requests to an
 * authority for a minute, so that a server that looks for repeated ones would refuse the second.
 */
import { createPrivateKey, sign, type KeyObject } from 'node:crypto'
import type { PrivateKey } from './bot-key.ts'

/** What a crawl signs its requests with. */
export interface Signing {
  readonly key: PrivateKey
  /** The URL of the site with the key directory. */
  readonly agent: string
}

const label = 'sig1'
/** At most five minutes. */
const validSeconds = 300
/** A signature is used this long. */
const usedMs = 60_000
const authoritiesMax = 10_000

interface Signed {
  readonly untilMs: number
  /** Names and values in turn. */
  readonly headers: readonly string[]
}

export class RequestSigner {
  readonly #key: KeyObject
  readonly #keyId: string
  readonly #agent: string
  readonly #signed = new Map<string, Signed>()

  constructor({ key, agent }: Signing) {
    this.#key = createPrivateKey({ key: { ...key } as never, format: 'jwk' })
    this.#keyId = key.kid
    this.#agent = `"${agent}"`
  }

  /** The headers of a request to this host: names and values in turn. */
  headersFor(host: string, nowMs: number): readonly string[] {
    const authority = host.toLowerCase()
    const held = this.#signed.get(authority)
    // A clock that was set back must not prolong a signature.
    if (held !== undefined && nowMs < held.untilMs && nowMs >= held.untilMs - usedMs) return held.headers
    if (this.#signed.size >= authoritiesMax) this.#signed.clear()
    const headers = this.#sign(authority, Math.floor(nowMs / 1000))
    this.#signed.set(authority, { untilMs: nowMs + usedMs, headers })
    return headers
  }

  #sign(authority: string, created: number): readonly string[] {
    const { input, signature } = signed(this.#key, {
      components: [
        ['"@authority"', authority],
        ['"signature-agent"', this.#agent],
      ],
      created,
      expires: created + validSeconds,
      keyId: this.#keyId,
      tag: 'web-bot-auth',
    })
    const pairs = [
      ['Signature-Agent', this.#agent],
      ['Signature-Input', `${label}=${input}`],
      ['Signature', `${label}=:${signature}:`],
    ]
    return pairs.flat()
  }
}

/** Headers of the response with the key directory, by which the owner of the keys proves that they are its own. */
export function directoryHeaders(
  key: PrivateKey,
  authority: string,
  created: number,
  expires: number,
): [name: string, value: string][] {
  const { input, signature } = signed(createPrivateKey({ key: { ...key } as never, format: 'jwk' }), {
    components: [['"@authority";req', authority.toLowerCase()]],
    created,
    expires,
    keyId: key.kid,
    tag: 'http-message-signatures-directory',
  })
  return [
    ['Signature-Input', `${label}=${input}`],
    ['Signature', `${label}=:${signature}:`],
  ]
}

interface SignedMessage {
  readonly components: readonly (readonly [name: string, value: string])[]
  /** In seconds of the epoch. */
  readonly created: number
  readonly expires: number
  readonly keyId: string
  readonly tag: string
}

function signed(key: KeyObject, message: SignedMessage): { input: string; signature: string } {
  const { components, created, expires, keyId, tag } = message
  const names = components.map(([name]) => name).join(' ')
  const input = `(${names});created=${created};expires=${expires};keyid="${keyId}";alg="ed25519";tag="${tag}"`
  const lines = [...components, ['"@signature-params"', input] as const]
  const base = lines.map(([name, value]) => `${name}: ${value}`).join('\n')
  return { input, signature: sign(null, Buffer.from(base), key).toString('base64') }
}
