/** An S3-compatible server on loopback (s3rver), which can be made to fail. */
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { Worker } from 'node:worker_threads'
import { afterAll } from 'vitest'

/** In a thread: readers of archives block the one that they run in. */
const storeThread = `
  const { parentPort, workerData } = require('node:worker_threads')
  const S3rver = require('s3rver')
  new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory: workerData,
    configureBuckets: [{ name: 'crawls', configs: [] }],
  }).run().then(({ port }) => parentPort.postMessage(port))
`

export interface S3Server {
  readonly endpoint: string
  /** The address of a place in its bucket, which is named `crawls`. */
  readonly place: (prefix: string) => string
  /** The same, past what this process does to requests: for readers that block it. */
  readonly direct: (prefix: string) => string
  /** Every request so far: method and path. */
  readonly requests: string[]
  /** While set: called for every request; false lets it pass. */
  intercept: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined
  /** The server accepts no connections until `open`. */
  shut(): Promise<void>
  open(): Promise<void>
}

/** The credentials that s3rver accepts are set in the environment. */
export async function s3Server(folder: string): Promise<S3Server> {
  process.env['AWS_ACCESS_KEY_ID'] = 'S3RVER'
  process.env['AWS_SECRET_ACCESS_KEY'] = 'S3RVER'
  const store = new Worker(storeThread, { eval: true, workerData: folder })
  const [storePort] = (await once(store, 'message')) as [number]
  let front = await listening(0)
  const { port } = front.address() as AddressInfo
  const endpoint = `http://127.0.0.1:${port}`
  const made: S3Server = {
    endpoint,
    place: (prefix) => `s3://crawls/${prefix}?endpoint=${endpoint}`,
    direct: (prefix) => `s3://crawls/${prefix}?endpoint=http://127.0.0.1:${storePort}`,
    requests: [],
    intercept: undefined,
    async shut() {
      front.closeAllConnections()
      await new Promise((resolve) => front.close(resolve))
    },
    async open() {
      front = await listening(port)
    },
  }
  /** Passes requests on, with the name under which they were signed. */
  async function listening(at: number): Promise<Server> {
    const server = createServer((asked, response) => {
      made.requests.push(`${asked.method} ${asked.url}`)
      if (made.intercept?.(asked, response) === true) return
      const { method, url, headers } = asked
      const passed = request(
        { host: '127.0.0.1', port: storePort, method, path: url, headers, agent: false },
        (answer) => {
          response.writeHead(answer.statusCode!, answer.headers)
          answer.pipe(response)
        },
      )
      passed.on('error', () => response.destroy())
      asked.on('close', () => !asked.complete && passed.destroy())
      asked.pipe(passed)
    })
    await once(server.listen(at, '127.0.0.1'), 'listening')
    return server
  }
  afterAll(async () => {
    await made.shut().catch(() => {})
    await store.terminate()
  })
  return made
}
