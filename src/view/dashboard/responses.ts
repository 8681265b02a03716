/** Writes responses: headers that every response has, JSON, text, and archived pages. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { ApiFailure } from './api-failure.ts'
import type { ArchivedText } from './reader/archive-queries.ts'

const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** An archived page: no script, no request, no access to the dashboard. */
const archivePolicy =
  "sandbox; default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"

/** Headers of every response; `setHeader` may replace them. */
export function setCommonHeaders(response: ServerResponse): void {
  response.setHeader('X-Content-Type-Options', 'nosniff')
  response.setHeader('Referrer-Policy', 'no-referrer')
  response.setHeader('Cross-Origin-Opener-Policy', 'same-origin')
  response.setHeader('Cross-Origin-Resource-Policy', 'same-origin')
  response.setHeader('X-Frame-Options', 'DENY')
  response.setHeader('Content-Security-Policy', pagePolicy)
  response.setHeader('Cache-Control', 'no-store')
}

export function sendText(
  response: ServerResponse,
  status: number,
  type: string,
  text: string | Buffer,
): void {
  response.statusCode = status
  response.setHeader('Content-Type', type)
  response.setHeader('Content-Length', Buffer.byteLength(text))
  response.end(text)
}

export function sendJson(response: ServerResponse, json: string, status = 200): void {
  sendText(response, status, 'application/json; charset=utf-8', json)
}

export function sendFailure(response: ServerResponse, failure: ApiFailure): void {
  if (response.headersSent) {
    response.destroy()
    return
  }
  if (failure.code === 'unauthorized') response.setHeader('WWW-Authenticate', 'Bearer realm="rankward"')
  // An unread body would be taken for the next request.
  response.setHeader('Connection', 'close')
  sendJson(response, JSON.stringify(failure.body), failure.status)
}

export function sendArchivedText(response: ServerResponse, { text }: ArchivedText): void {
  response.setHeader('Content-Security-Policy', archivePolicy)
  sendText(response, 200, 'text/plain; charset=utf-8', text)
}

/** A document with the text of the page alone. Its own markup is never sent. */
export function sendArchivedPage(response: ServerResponse, { title, text }: ArchivedText): void {
  response.setHeader('Content-Security-Policy', archivePolicy)
  response.removeHeader('X-Frame-Options')
  const paragraphs = text
    .split(/\n+/)
    .filter((line) => line.trim() !== '')
    .map((line) => `<p>${escaped(line)}</p>`)
  const html = [
    '<!doctype html><html><head><meta charset="utf-8"><title>Archived page</title></head><body>',
    `<h1>${escaped(title)}</h1>`,
    ...paragraphs,
    '</body></html>',
  ]
  sendText(response, 200, 'text/html; charset=utf-8', html.join('\n'))
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}

const bodyBytesMax = 16 * 1024

/** The JSON body of a request. */
export async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const type = (request.headers['content-type'] ?? '').split(';')[0].trim().toLowerCase()
  if (type !== 'application/json') {
    throw new ApiFailure('unsupported-media-type', 'Expected Content-Type: application/json.')
  }
  const tooLarge = new ApiFailure('too-large', `The body is larger than ${bodyBytesMax} bytes.`)
  if (Number(request.headers['content-length'] ?? 0) > bodyBytesMax) throw tooLarge
  const parts: Buffer[] = []
  let length = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length
    if (length > bodyBytesMax) throw tooLarge
    parts.push(part)
  }
  try {
    return JSON.parse(Buffer.concat(parts).toString('utf8')) as unknown
  } catch {
    throw new ApiFailure('bad-request', 'The body is not JSON.')
  }
}
