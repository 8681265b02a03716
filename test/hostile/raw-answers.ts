/** Bytes that servers write, by hand. */
import type { Socket } from 'node:net'
import type { Answer } from './hostile-web.ts'

/** A whole answer as HTTP has it. */
export function answerBytes(
  status: string,
  headers: readonly string[] = [],
  body: string | Uint8Array = '',
): Buffer {
  const bytes = Buffer.from(body)
  const head = [`HTTP/1.1 ${status}`, ...headers, `Content-Length: ${bytes.length}`, '', ''].join('\r\n')
  return Buffer.concat([Buffer.from(head, 'latin1'), bytes])
}

export const htmlType = 'Content-Type: text/html; charset=utf-8'

export function html(socket: Socket, body: string | Uint8Array, ...headers: string[]): void {
  socket.write(answerBytes('200 OK', [htmlType, ...headers], body))
}

export function status(socket: Socket, line: string, ...headers: string[]): void {
  socket.write(answerBytes(line, headers))
}

/** Always the same bytes, after which the connection is closed. */
export function raw(...parts: (string | Uint8Array)[]): Answer {
  const bytes = Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)),
  )
  return (socket) => socket.end(bytes)
}

/** The same without closing. */
export function rawOpen(...parts: (string | Uint8Array)[]): Answer {
  const bytes = Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)),
  )
  return (socket) => void socket.write(bytes)
}

/** Writes this again and again, as fast as it is read, until the other side has had enough. */
export function endlessly(socket: Socket, piece: string | Uint8Array): void {
  const bytes = Buffer.from(piece)
  const go = (): void => {
    while (!socket.destroyed && socket.write(bytes));
  }
  socket.on('drain', go)
  go()
}

/** One byte every so often, for ever. */
export function drip(socket: Socket, text: string, everyMs: number): void {
  let at = 0
  const timer = setInterval(() => socket.write(text[at++ % text.length]), everyMs)
  socket.on('close', () => clearInterval(timer))
}

/** A different answer for each path. */
export function byPath(answers: Readonly<Record<string, Answer>>): Answer {
  return (socket, request) => {
    const answer = answers[request.path]
    if (answer === undefined) socket.write(answerBytes('404 Not Found'))
    else answer(socket, request)
  }
}

export function redirect(location: string, line = '302 Found'): Answer {
  return (socket) => status(socket, line, `Location: ${location}`)
}
