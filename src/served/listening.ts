/** Listens with one port on many addresses: a port that is free on all of them, or a given one. */
import { createServer as createTcpServer, type Server } from 'node:net'

const attempts = 20
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

/** A port that is currently free on all these addresses, for a server that needs a fixed port. */
export async function freePort(addresses: readonly string[]): Promise<number> {
  const { port, servers } = await listenOnAll(addresses, 0, () => createTcpServer())
  await closeAll(servers)
  return port
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
