/** Listens with one port on many addresses: a port that is free on all of them, or a given one. */
import { createServer as createTcpServer, type Server } from 'node:net'

const attempts = 20
/** Ports for servers of other programs, below all those that systems choose from for connections and for port 0. */
const fixedPorts = { first: 10_000, count: 20_000 }
/** How many addresses are bound at once. */
const batch = 64

/**
 * Creates a server for each address, all on one port. Port 0: one that is free on the first address; another
 * is chosen if it is taken on some other address.
 */
export async function listenOnAll<S extends Server>(
  addresses: readonly string[],
  port: number,
  makeServer: (index: number) => S,
): Promise<{ port: number; servers: S[] }> {
  for (let attempt = 1; ; attempt++) {
    const servers: S[] = []
    try {
      let chosen = port
      for (let from = 0; from < addresses.length; from += from === 0 ? 1 : batch) {
        const some = addresses.slice(from, from === 0 ? 1 : from + batch)
        const listening = some.map((address, i) => {
          const server = makeServer(from + i)
          servers.push(server)
          return listen(server, chosen, address)
        })
        for (const result of await Promise.allSettled(listening)) {
          if (result.status === 'rejected') throw result.reason
          chosen = result.value
        }
      }
      return { port: chosen, servers }
    } catch (error) {
      await closeAll(servers)
      const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
      if (port !== 0 || !isTaken || attempt === attempts) throw error
    }
  }
}

/** Processes begin at different ports, and none uses a port twice. */
let nextPort = (process.pid * 64) % fixedPorts.count

/**
 * Ports that are free on all these addresses, for servers that need fixed ones. No connection and no server on port 0 takes them
 * before they are used, nor while such a server is restarted.
 */
export async function freePorts(
  count: number,
  addresses: readonly string[] = ['127.0.0.1'],
): Promise<number[]> {
  const ports: number[] = []
  while (ports.length < count) {
    const port = fixedPorts.first + (nextPort++ % fixedPorts.count)
    if (await isFree(port, addresses)) ports.push(port)
  }
  return ports
}

async function isFree(port: number, addresses: readonly string[]): Promise<boolean> {
  try {
    const { servers } = await listenOnAll(addresses, port, () => createTcpServer())
    await closeAll(servers)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false
    throw error
  }
}

/** Includes those that failed to listen. */
export async function closeAll(servers: readonly Server[]): Promise<void> {
  await Promise.all(servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve()))))
}

function listen(server: Server, port: number, address: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, address, () => {
      server.removeListener('error', reject)
      const bound = server.address()
      resolve(bound !== null && typeof bound === 'object' ? bound.port : port)
    })
  })
}
