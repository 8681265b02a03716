// bare-net.mjs URL PAGES CONCURRENCY: an upper bound for one Node thread: HTTP by hand over plain sockets,
// and a search for href= instead of a parser. It supports only the responses of the benchmark's server (with
// Content-Length) and takes every href for a link, in comments and scripts too.
import { connect } from 'node:net'

const [start, pages, concurrency] = process.argv.slice(2)
const seen = new Set([start])
const list = [start]
const idle = new Map()
const doubleQuote = 34
const singleQuote = 39
let next = 0
let fetched = 0
let active = 0

function links(body, base) {
  for (let at = body.indexOf('href='); at !== -1; at = body.indexOf('href=', at)) {
    at += 5
    const quote = body[at]
    if (quote !== doubleQuote && quote !== singleQuote) continue
    const end = body.indexOf(quote, at + 1)
    if (end === -1) return
    const link = body.latin1Slice(at + 1, end)
    at = end
    if (link[0] === '#' || !URL.canParse(link, base)) continue
    const { href, hash } = new URL(link, base)
    const url = hash === '' ? href : href.slice(0, -hash.length)
    if (!url.startsWith('http') || seen.has(url)) continue
    seen.add(url)
    list.push(url)
  }
}

function open(origin) {
  const { hostname, port } = new URL(origin)
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  socket.on('data', (chunk) => receive(socket, chunk))
  socket.on('error', () => finish(socket, false))
  return socket
}

function fetchPage(url) {
  const slash = url.indexOf('/', 8)
  const origin = url.slice(0, slash)
  const socket = idle.get(origin)?.pop() ?? open(origin)
  socket.exchange = { url, origin, chunks: [], bytes: 0, total: Infinity, bodyAt: 0, page: false }
  socket.write(`GET ${url.slice(slash)} HTTP/1.1\r\nHost: ${origin.slice(7)}\r\n\r\n`)
}

function receive(socket, chunk) {
  const { exchange } = socket
  exchange.chunks.push(chunk)
  exchange.bytes += chunk.length
  if (exchange.total === Infinity) {
    const head = Buffer.concat(exchange.chunks)
    exchange.chunks = [head]
    const end = head.indexOf('\r\n\r\n')
    if (end === -1) return
    const text = head.latin1Slice(0, end)
    exchange.bodyAt = end + 4
    exchange.total = exchange.bodyAt + Number(/^content-length: (\d+)/im.exec(text)?.[1] ?? 0)
    exchange.page = text.startsWith('HTTP/1.1 200') && /^content-type: text\/html/im.test(text)
  }
  if (exchange.bytes >= exchange.total) finish(socket, true)
}

function finish(socket, good) {
  const { url, origin, chunks, bodyAt, page } = socket.exchange ?? {}
  if (url === undefined) return
  socket.exchange = undefined
  active--
  if (good) {
    const waiting = idle.get(origin)
    if (waiting === undefined) idle.set(origin, [socket])
    else waiting.push(socket)
    if (page) {
      fetched++
      links(Buffer.concat(chunks).subarray(bodyAt), url)
    }
  }
  fill()
}

function fill() {
  while (active < Number(concurrency) && next < list.length && fetched + active < Number(pages)) {
    active++
    fetchPage(list[next++])
  }
  if (active === 0) process.exit()
}

fill()
