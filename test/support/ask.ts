/** One plain request, over node:http: for tests that care about Host headers and connections, where `fetch` decides. */
import { type Agent, get, type IncomingHttpHeaders } from 'node:http'

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

export interface AskOptions {
  readonly headers?: Record<string, string>
  /** `new Agent({ keepAlive: true, maxSockets: 1 })` keeps to one connection; none unless given. */
  readonly agent?: Agent
  /** Where to connect instead of the URL's host, as curl has it: `::ADDRESS:PORT`. */
  readonly connectTo?: string
}

export function ask(url: string, { headers = {}, agent, connectTo }: AskOptions = {}): Promise<Answer> {
  const { host, hostname, port, pathname, search } = new URL(url)
  const [address, addressPort] = connectTo?.split(':').slice(2) ?? [hostname, port === '' ? '80' : port]
  const options = { host: address, port: addressPort, path: pathname + search, agent: agent ?? false }
  return new Promise((resolve, reject) => {
    const request = get({ ...options, headers: { host, ...headers } }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.once('error', reject)
      response.once('end', () =>
        resolve({ status: response.statusCode!, headers: response.headers, body: Buffer.concat(chunks) }),
      )
    })
    request.once('error', reject)
  })
}
