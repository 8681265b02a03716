/**
 * Requests to a bucket of an S3-compatible store: HEAD, GET of a range, PUT, and uploads in parts. The store is the user's own: requests
 * go to Amazon over HTTPS, or to the endpoint that the user names, and to no other; redirects are not followed.
 */
import { createHash } from 'node:crypto'
import { Agent as HttpAgent, request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { s3Credentials } from './s3-credentials.ts'
import { encodedPath, queryText, signedHeaders } from './s3-signature.ts'
import type { BucketAddress } from './store-address.ts'
import { StoreFailure } from './store-failure.ts'

interface Asked {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  readonly key: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array
}

interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** An object of the bucket. */
export interface S3Object {
  readonly bytes: number
  /** The MD5 of the content in most stores, of the MD5s of its parts if it has parts. */
  readonly etag: string
}

/** Part of an object. `total`: bytes of the whole. */
export interface S3Range {
  readonly bytes: Buffer
  readonly total: number
}

const silentMs = 30_000
const nothing = new Uint8Array(0)
const agents = {
  'http:': new HttpAgent({ keepAlive: true, timeout: silentMs }),
  'https:': new HttpsAgent({ keepAlive: true, timeout: silentMs }),
}

export class S3Bucket {
  readonly #address: BucketAddress
  readonly #region: string
  /** The server, and the beginning of each path there. */
  readonly #server: URL
  readonly #root: string

  constructor(address: BucketAddress) {
    const { bucket, endpoint, region = 'us-east-1' } = address
    this.#address = address
    this.#region = region
    // A certificate of Amazon does not fit names with further dots.
    const hasOwnHost = endpoint === undefined && !bucket.includes('.')
    this.#server = endpoint ?? new URL(`https://${hasOwnHost ? `${bucket}.` : ''}s3.${region}.amazonaws.com`)
    this.#root = `${this.#server.pathname.replace(/\/$/, '')}${hasOwnHost ? '' : `/${bucket}`}`
  }

  /** Undefined if there is no such object. */
  async object(key: string): Promise<S3Object | undefined> {
    const { status, headers } = await this.#ask({ method: 'HEAD', key }, [404])
    if (status === 404) return undefined
    return { bytes: Number(headers['content-length'] ?? NaN), etag: etagOf(headers) }
  }

  /** Undefined if there is no such object. Fewer bytes than asked for: the object ends there. */
  async range(key: string, offset: number, length: number): Promise<S3Range | undefined> {
    const headers = { range: `bytes=${offset}-${offset + length - 1}` }
    const answer = await this.#ask({ method: 'GET', key, headers }, [404, 416])
    if (answer.status === 404) return undefined
    const [, total] = /\/(\d+)$/.exec(answer.headers['content-range'] ?? '') ?? []
    if (answer.status === 416) return { bytes: Buffer.alloc(0), total: Number(total ?? offset) }
    if (answer.status === 206) return { bytes: answer.body, total: Number(total) }
    // A server that ignores ranges sends everything.
    return { bytes: answer.body.subarray(offset, offset + length), total: answer.body.length }
  }

  /** Stores a whole object. */
  async put(key: string, body: Uint8Array): Promise<void> {
    await this.#ask({ method: 'PUT', key, body, headers: { 'content-md5': md5(body) } })
  }

  /** Begins an upload in parts, which nobody sees before it is completed. */
  async beginParts(key: string): Promise<string> {
    const { body } = await this.#ask({ method: 'POST', key, query: { uploads: '' } })
    const id = textIn(body.toString('utf8'), 'UploadId')
    if (id === undefined) throw new StoreFailure(`${this.#name} began no upload of ${key}.`)
    return id
  }

  /** Returns the ETag of the part; `number` counts from 1. */
  async putPart(key: string, upload: string, number: number, body: Uint8Array): Promise<string> {
    const query = { partNumber: String(number), uploadId: upload }
    const asked: Asked = { method: 'PUT', key, query, body, headers: { 'content-md5': md5(body) } }
    return etagOf((await this.#ask(asked)).headers)
  }

  async completeParts(key: string, upload: string, etags: readonly string[]): Promise<void> {
    const parts = etags.map(
      (etag, i) => `<Part><PartNumber>${i + 1}</PartNumber><ETag>"${etag}"</ETag></Part>`,
    )
    const body = Buffer.from(
      `<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${parts.join('')}</CompleteMultipartUpload>`,
    )
    const headers = { 'content-type': 'application/xml' }
    const answer = await this.#ask({ method: 'POST', key, query: { uploadId: upload }, body, headers })
    // A store may find out after it has sent the status.
    const text = answer.body.toString('utf8')
    if (text.includes('<Error>')) throw this.#failure(key, answer.status, text)
  }

  /** Removes uploads of this object that were never completed, where the store can list them. */
  async dropParts(key: string): Promise<void> {
    // `?uploads` of the bucket, not of the object.
    const { status, body } = await this.#ask(
      { method: 'GET', key: '', query: { uploads: '', prefix: key } },
      [400, 403, 404, 405, 501],
    )
    if (status !== 200) return
    const uploads = body.toString('utf8').split('<Upload>').slice(1)
    for (const upload of uploads) {
      const id = textIn(upload, 'UploadId')
      if (id !== undefined && textIn(upload, 'Key') === key)
        await this.#ask({ method: 'DELETE', key, query: { uploadId: id } }, [404])
    }
  }

  get #name(): string {
    return `The bucket ${this.#address.bucket} at ${this.#server.host}`
  }

  /** Throws StoreFailure for a status that is neither a success nor expected. */
  async #ask(asked: Asked, expected: readonly number[] = []): Promise<Answer> {
    const answer = await this.#send(asked)
    const { status, body } = answer
    if ((status >= 200 && status < 300) || expected.includes(status)) return answer
    throw this.#failure(asked.key, status, body.toString('utf8'))
  }

  #failure(key: string, status: number, text: string): StoreFailure {
    const code = textIn(text, 'Code')
    const message = textIn(text, 'Message')
    const why = [`HTTP ${status}`, code, message].filter((each) => each !== undefined).join(', ')
    return new StoreFailure(`${this.#name} refuses ${key === '' ? 'a list' : key}: ${why}.`, status)
  }

  #send({ method, key, query = {}, headers: given = {}, body = nothing }: Asked): Promise<Answer> {
    const path = `${this.#root}/${key}`
    const { protocol, hostname, port, host } = this.#server
    const length: Record<string, string> =
      method === 'PUT' || method === 'POST' ? { 'content-length': String(body.length) } : {}
    const headers = signedHeaders(
      { method, host, path, query, headers: { ...given, ...length }, body },
      { credentials: s3Credentials(), region: this.#region, nowMs: Date.now() },
    )
    const text = queryText(query)
    const options = {
      method,
      hostname: hostname.replaceAll(/^\[|\]$/g, ''),
      port,
      path: `${encodedPath(path)}${text === '' ? '' : `?${text}`}`,
      headers,
      timeout: silentMs,
    }
    return new Promise((resolve, reject) => {
      const failed = (cause: Error): void => {
        const code = 'code' in cause ? String(cause.code) : cause.message
        reject(new StoreFailure(`${this.#name} cannot be reached: ${code}.`, undefined, cause))
      }
      const send = protocol === 'https:' ? httpsRequest : httpRequest
      const agent = agents[protocol as keyof typeof agents]
      const sent = send({ ...options, agent }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', failed)
        response.on('end', () => {
          if (!response.complete) return failed(new Error('its response is truncated'))
          resolve({ status: response.statusCode!, headers: response.headers, body: Buffer.concat(chunks) })
        })
      })
      sent.on('timeout', () => sent.destroy(new Error(`no response for ${silentMs / 1000} seconds`)))
      sent.on('error', failed)
      sent.end(body)
    })
  }
}

function md5(bytes: Uint8Array): string {
  return createHash('md5').update(bytes).digest('base64')
}

function etagOf({ etag = '' }: IncomingHttpHeaders): string {
  return etag.replaceAll('"', '')
}

/** The text of the first element of this name. Responses of stores are flat and small. */
function textIn(xml: string, name: string): string | undefined {
  const [, text] = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml) ?? []
  return text
    ?.replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}
