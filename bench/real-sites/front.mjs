// A server in front of the sites that counts requests and keeps every response in a WARC file (DIR/recorded/), so that programs that
// take a second for a page are slow once only. Its files can be served again with `rankward serve`.
import { mkdirSync, readdirSync } from 'node:fs'
import { createServer, get } from 'node:http'
import { join } from 'node:path'
import { readWarc, WarcWriter } from '../../dist/web/warc/index.js'
import { backendPort, port } from './sites.mjs'

export class Front {
  /** Those of the current crawl: status and URL, in order. */
  requests = []
  #kept = new Map()
  #writer
  #server
  #host

  constructor(folder, site, host) {
    this.#host = host
    const recorded = join(folder, 'recorded')
    mkdirSync(recorded, { recursive: true })
    const files = readdirSync(recorded).filter(
      (name) => name.startsWith(`${site}-`) && name.endsWith('.warc.gz'),
    )
    for (const name of files) {
      for (const record of readWarc(join(recorded, name))) {
        if (record.type !== 'response') continue
        const { startLine, headers, body } = record.http()
        this.#kept.set(record.targetUri, {
          status: Number(startLine.split(' ')[1]),
          headers,
          body: Buffer.from(body),
        })
      }
    }
    this.#writer = new WarcWriter({ folder: recorded, prefix: `${site}-${files.length}` })
  }

  listen() {
    this.#server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
      const url = `http://${this.#host}:${port}${request.url}`
      void this.#response(url, request.url).then(({ status, headers, body }) => {
        if (request.url !== '/robots.txt') this.requests.push({ status, url })
        response.writeHead(status, headers.flat())
        response.end(request.method === 'HEAD' ? undefined : body)
      })
    })
    return new Promise((done) => this.#server.listen(port, this.#host, done))
  }

  async close() {
    this.#writer.close()
    this.#server.closeAllConnections()
    await new Promise((done) => this.#server.close(done))
  }

  async #response(url, path) {
    const kept = this.#kept.get(url)
    if (kept !== undefined) return kept
    const options = {
      host: this.#host,
      port: backendPort,
      path,
      agent: false,
      headers: { host: `${this.#host}:${port}` },
    }
    const made = await new Promise((resolve) => {
      get(options, (response) => {
        const chunks = []
        response.on('data', (chunk) => chunks.push(chunk))
        response.on('error', () => resolve(failed))
        response.on('end', () => {
          const body = Buffer.concat(chunks)
          const headers = []
          for (let i = 0; i < response.rawHeaders.length; i += 2)
            if (
              !/^(?:transfer-encoding|content-length|connection|keep-alive|set-cookie)$/i.test(
                response.rawHeaders[i],
              )
            )
              headers.push([response.rawHeaders[i], response.rawHeaders[i + 1]])
          resolve({
            status: response.statusCode,
            headers: [...headers, ['Content-Length', String(body.length)]],
            body,
          })
        })
      }).on('error', () => resolve(failed))
    })
    if (made === failed) return made
    this.#kept.set(url, made)
    const { status, headers, body } = made
    const mime = headers.find(([name]) => /^content-type$/i.test(name))?.[1] ?? 'unk'
    this.#writer.exchange({
      url,
      dateMs: Date.now(),
      status,
      mime,
      response: { startLine: `HTTP/1.1 ${status} Recorded`, headers, body },
    })
    return made
  }
}

const failed = { status: 502, headers: [], body: Buffer.alloc(0) }
