/** A parsed record: its fields, its block, its position in the file, and whether its digests match. */
import { createHash } from 'node:crypto'
import { base32 } from '../../lib/base32.ts'

export class WarcRecord {
  readonly version: string
  readonly fields: readonly (readonly [name: string, value: string])[]
  readonly block: Buffer
  readonly offset: number
  /** Length in the file: compressed, including the line ends after it. */
  readonly length: number

  constructor(head: string, block: Buffer, offset: number, length: number) {
    // A line that starts with white space continues the line before.
    const [version, ...lines] = head.replace(/\r?\n[\t ]+/g, ' ').split(/\r?\n/)
    this.version = version
    this.fields = lines.map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, Math.max(colon, 0)).trim(), line.slice(colon + 1).trim()]
    })
    this.block = block
    this.offset = offset
    this.length = length
  }

  get type(): string {
    return this.field('WARC-Type') ?? ''
  }

  /** The UUID of the record id, or any other URI. */
  get id(): string {
    return withoutBrackets(this.field('WARC-Record-ID') ?? '').replace(/^urn:uuid:/, '')
  }

  /** Some writers of WARC 1.0 put angle brackets around it. */
  get targetUri(): string | undefined {
    const uri = this.field('WARC-Target-URI')
    return uri === undefined ? undefined : withoutBrackets(uri)
  }

  field(name: string): string | undefined {
    const lower = name.toLowerCase()
    return this.fields.find(([other]) => other.toLowerCase() === lower)?.[1]
  }

  /**
   * The HTTP head and body of a request, response or revisit; undefined for blocks that are not HTTP
   * messages.
   */
  http(): { startLine: string; headers: [name: string, value: string][]; body: Buffer } | undefined {
    if (!/^application\/http\b/i.test(this.field('Content-Type') ?? '')) return undefined
    const end = emptyLine(this.block)
    const head = this.block.toString('latin1', 0, end === undefined ? this.block.length : end.start)
    const body = end === undefined ? Buffer.alloc(0) : this.block.subarray(end.end)
    const [startLine, ...lines] = head.replace(/\r?\n[\t ]+/g, ' ').split(/\r?\n/)
    const headers = lines
      .filter((line) => line.includes(':'))
      .map((line): [string, string] => {
        const colon = line.indexOf(':')
        return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()]
      })
    return { startLine, headers, body }
  }

  /**
   * The body of an HTTP message without its chunks; of other blocks, the block. Content encodings are kept.
   */
  payload(): Buffer {
    const payloads = this.#payloads()
    return payloads[1] !== undefined && startsWithChunk(payloads[0]) ? payloads[1] : payloads[0]
  }

  /** The digests that do not match; empty if all match or none is given. */
  digestProblems(): string[] {
    const problems: string[] = []
    const block = this.field('WARC-Block-Digest')
    if (block !== undefined && !fits(block, this.block))
      problems.push('WARC-Block-Digest does not match the block')
    const payload = this.field('WARC-Payload-Digest')
    if (payload === undefined || this.type === 'revisit') return problems
    // Tools differ on whether a chunked body is hashed with its chunks; both are accepted.
    const bodies = this.#payloads()
    if (!bodies.some((body) => body !== undefined && fits(payload, body)))
      problems.push('WARC-Payload-Digest does not match the payload')
    return problems
  }

  /** As stored, and without its chunks if its head declares them. */
  #payloads(): [Buffer, Buffer?] {
    const http = this.http()
    if (!http) return [this.block]
    const chunked = http.headers.some(
      ([name, value]) => name.toLowerCase() === 'transfer-encoding' && /\bchunked\b/i.test(value),
    )
    return chunked ? [http.body, unchunked(http.body)] : [http.body]
  }
}

/** The first empty line, with the end of the line before it; line ends may be LF only. */
function emptyLine(block: Buffer): { start: number; end: number } | undefined {
  for (let at = block.indexOf(0x0a); at >= 0; at = block.indexOf(0x0a, at + 1)) {
    const hasCr = block[at + 1] === 0x0d
    if (block[at + (hasCr ? 2 : 1)] !== 0x0a) continue
    return { start: block[at - 1] === 0x0d ? at - 1 : at, end: at + (hasCr ? 3 : 2) }
  }
  return undefined
}

const withoutBrackets = (uri: string): string => uri.replace(/^<(.*)>$/, '$1')

/** `algorithm:value`, in base32, hexadecimal or base64. An unknown algorithm is not checked. */
function fits(digest: string, bytes: Uint8Array): boolean {
  const [algorithm, value = ''] = digest.split(':')
  const name = algorithm.toLowerCase().replace('-', '')
  if (!['md5', 'sha1', 'sha256', 'sha512'].includes(name)) return true
  const hash = createHash(name).update(bytes).digest()
  const bare = value.replace(/=+$/, '')
  return (
    bare.toUpperCase() === base32(hash) ||
    bare.toLowerCase() === hash.toString('hex') ||
    bare.replaceAll('+', '-').replaceAll('/', '_') === hash.toString('base64url')
  )
}

/** Some tools remove the chunks but keep the header that declares them. */
function startsWithChunk(body: Buffer): boolean {
  return /^[\da-f]+[\t ]*(?:;[^\r\n]*)?\r\n/i.test(body.toString('latin1', 0, 256))
}

/** Removes the chunks of a body, as far as they are well-formed. */
function unchunked(body: Buffer): Buffer {
  const parts: Buffer[] = []
  let at = 0
  for (;;) {
    const lineEnd = body.indexOf('\r\n', at)
    if (lineEnd === -1) break
    const size = Number.parseInt(body.toString('latin1', at, lineEnd), 16)
    if (!(size > 0)) break
    parts.push(body.subarray(lineEnd + 2, lineEnd + 2 + size))
    at = lineEnd + 2 + size + 2
  }
  return Buffer.concat(parts)
}
