/** AWS Signature Version 4 of one request to S3, with a signed payload. */
import { createHash, createHmac } from 'node:crypto'
import type { S3Credentials } from './s3-credentials.ts'

export interface S3Request {
  readonly method: string
  readonly host: string
  /** Not encoded, with a leading slash. */
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  /** In small letters. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

interface Signing {
  readonly credentials: S3Credentials
  readonly region: string
  readonly nowMs: number
}

/** The headers of the request, with its signature. */
export function signedHeaders(
  request: S3Request,
  { credentials, region, nowMs }: Signing,
): Readonly<Record<string, string>> {
  const { method, host, path, query, body } = request
  const { accessKey, secretKey, sessionToken } = credentials
  const time = new Date(nowMs).toISOString().replaceAll(/[:-]|\.\d+/g, '')
  const date = time.slice(0, 8)
  const digest = sha256(body)
  const headers: Record<string, string> = {
    ...request.headers,
    host,
    'x-amz-content-sha256': digest,
    'x-amz-date': time,
    ...(sessionToken === undefined ? {} : { 'x-amz-security-token': sessionToken }),
  }
  const names = Object.keys(headers).toSorted()
  const lines = names.map((name) => `${name}:${headers[name].trim()}\n`).join('')
  const list = names.join(';')
  const canonical = [method, encodedPath(path), queryText(query), lines, list, digest].join('\n')
  const scope = `${date}/${region}/s3/aws4_request`
  const text = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n')
  const key = [date, region, 's3', 'aws4_request'].reduce<Buffer | string>(hmac, `AWS4${secretKey}`)
  const signature = hmac(key, text).toString('hex')
  return {
    ...headers,
    authorization: `AWS4-HMAC-SHA256 Credential=${accessKey}/${scope},SignedHeaders=${list},Signature=${signature}`,
  }
}

/** Sorted, as it is signed. */
export function queryText(query: Readonly<Record<string, string>>): string {
  return Object.keys(query)
    .toSorted()
    .map((name) => `${encoded(name)}=${encoded(query[name])}`)
    .join('&')
}

export function encodedPath(path: string): string {
  return path.split('/').map(encoded).join('/')
}

/** RFC 3986: `encodeURIComponent` leaves five more characters as they are. */
function encoded(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

function hmac(key: Buffer | string, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}

function sha256(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex')
}
