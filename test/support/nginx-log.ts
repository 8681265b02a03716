/**
 * Rows of nginx's access log. Times are in whole milliseconds, both the end and the length, so that a start may be a
 * millisecond off: compare with a tolerance of 2 ms.
 */
export interface NginxAccess {
  /** The address, which is what tells sites apart. */
  readonly site: string
  readonly address: string
  readonly connection: number
  /** The first request on its connection is 1. */
  readonly connectionRequests: number
  /** 499: the client was gone before the answer. */
  readonly status: number
  readonly bodyBytes: number
  /** As sent, with its query. */
  readonly path: string
  /** Empty: none was sent. */
  readonly userAgent: string
  /** When the first byte of the request was read. */
  readonly startMs: number
  /** When the last byte of the answer was handed to the system. */
  readonly endMs: number
}

const row = /^(\d+\.\d+) (\d+\.\d+) (\S+) (\d+) (\d+) (\d+) (\d+) "(.*?)" "(.*)"$/

/** A last row without its end of line is still being written, and left out. */
export function parseAccessLog(text: string): NginxAccess[] {
  return text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .filter((line) => line !== '')
    .map(parseRow)
}

function parseRow(line: string): NginxAccess {
  const parts = row.exec(line)
  if (parts === null) throw new Error(`No row of the access log: ${line}`)
  const [, end, seconds, address, connection, connectionRequests, status, bodyBytes, path, userAgent] = parts
  const endMs = Math.round(Number(end) * 1000)
  return {
    site: address,
    address,
    connection: Number(connection),
    connectionRequests: Number(connectionRequests),
    status: Number(status),
    bodyBytes: Number(bodyBytes),
    path: unescaped(path),
    userAgent: userAgent === '-' ? '' : unescaped(userAgent),
    startMs: endMs - Math.round(Number(seconds) * 1000),
    endMs,
  }
}

/** nginx writes quotes, backslashes and all that is no printable ASCII as \xHH. */
function unescaped(text: string): string {
  if (!text.includes('\\x')) return text
  const bytes = text.replace(/\\x([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
