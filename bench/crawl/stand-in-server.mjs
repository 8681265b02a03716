// stand-in-server.mjs FOLDER LOG PORT HOSTS: replaces nginx on machines without it. Good enough
// to check that the benchmark works; its speed is meaningless.
import { createServer } from 'node:http'
import { appendFileSync, existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { hostAddress } from './web.mjs'

const [folder, log, port, hosts] = process.argv.slice(2)
let connections = 0

const isFile = (path) => existsSync(path) && statSync(path).isFile()

function answer(request, response) {
  const host = request.headers.host.split(':')[0]
  const path = decodeURIComponent(new URL(request.url, 'http://localhost').pathname)
  const places = [join(host, path), join(host, path, 'index.html'), join('assets', path)]
  const file = places.map((place) => join(folder, place)).find(isFile)
  const status = file === undefined ? 404 : 200
  const type = file === undefined || /\.html?$/.test(file) ? 'text/html' : 'application/octet-stream'
  const body = file === undefined ? Buffer.from('not found') : readFileSync(file)
  response.writeHead(status, { 'content-type': type, 'content-length': body.length }).end(body)
  request.socket.number ??= ++connections
  const line = [Date.now() / 1000, host, status, body.length, type, request.socket.number, request.url]
  appendFileSync(log, `${line.join('\t')}\n`)
}

for (let host = 0; host < Number(hosts); host++) createServer(answer).listen(Number(port), hostAddress(host))
process.on('SIGTERM', () => process.exit())
