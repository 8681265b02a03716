// Counts the pages served to a crawler from the server's log: the same measure for all, regardless of their
// own output.
import { closeSync, openSync, readSync, statSync } from 'node:fs'

export const logBytes = (log) => statSync(log).size

/**
 * Counts in the log from byte `start` on. A page is a response with status 200 and type text/html; `seconds`
 * is the time from the first page to the last, without starting the program.
 */
export function countPages(log, start) {
  const hosts = new Set()
  const connections = new Set()
  const urls = new Set()
  const counts = { requests: 0, pages: 0, bytes: 0, seconds: 0 }
  let first = Infinity
  let last = 0
  for (const line of readFrom(log, start).split('\n')) {
    const [time, host, status, bytes, type, connection, uri] = line.split('\t')
    if (uri === undefined) continue
    counts.requests++
    connections.add(connection)
    if (status !== '200' || !type.startsWith('text/html')) continue
    counts.pages++
    counts.bytes += Number(bytes)
    hosts.add(host)
    urls.add(host + uri)
    first = Math.min(first, Number(time))
    last = Math.max(last, Number(time))
  }
  if (counts.pages > 1) counts.seconds = last - first
  return { ...counts, distinct: urls.size, hosts: hosts.size, connections: connections.size }
}

/** Lines since `start`: cheap enough to poll during a crawl, to stop crawlers that have no page limit. */
export function countLines(log, start) {
  let lines = 0
  const text = readFrom(log, start)
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines++
  return lines
}

function readFrom(log, start) {
  const bytes = Buffer.alloc(Math.max(0, statSync(log).size - start))
  const file = openSync(log, 'r')
  try {
    const read = readSync(file, bytes, 0, bytes.length, start)
    return bytes.latin1Slice(0, read)
  } finally {
    closeSync(file)
  }
}
