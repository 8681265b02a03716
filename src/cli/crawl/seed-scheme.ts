/**
 * The scheme of seeds that are given without one: https if a TLS handshake succeeds, whatever the certificate; else http
 * if a server accepts connections there. Otherwise https stays, and the crawl reports why it fails. No request is sent,
 * and the addresses are those that the crawl would use.
 */
import { connect as connectPlain, isIP } from 'node:net'
import type { Socket } from 'node:net'
import { connect as connectSecure } from 'node:tls'
import type { CrawlCliOptions } from '../../crawler/options/crawl-options.ts'
import { Addresses } from '../../crawler/desk/addresses.ts'

export type SchemeOf = (url: string) => Promise<'https' | 'http'>

const secondsMax = 5
/** Further hosts are not tried. */
const hostsMax = 100

/** Undefined if nothing may be tried: in a dry run, and behind proxies, which connect themselves. */
export function schemeFinder(options: CrawlCliOptions): SchemeOf | undefined {
  const { dryRun, allowPrivate, connectTo, dns: dnsServers } = options
  const isProxied = 'proxy' in options || 'proxies' in options
  if (dryRun === true || isProxied) return undefined
  const addresses = new Addresses({ allowPrivate, connectTo, dnsServers })
  const tried = new Map<string, Promise<'https' | 'http'>>()
  return (url) => {
    const { host } = new URL(url)
    const known = tried.get(host)
    if (known !== undefined) return known
    const found = tried.size < hostsMax ? schemeOf(url, addresses) : Promise.resolve('https' as const)
    tried.set(host, found)
    return found
  }
}

async function schemeOf(url: string, addresses: Addresses): Promise<'https' | 'http'> {
  const { hostname, port } = new URL(url)
  const opens = async (isSecure: boolean): Promise<boolean> => {
    const given = port === '' ? (isSecure ? 443 : 80) : Number(port)
    const place = await addresses.resolve(hostname, given, Date.now() / 1000)
    if (typeof place === 'string') return false
    const where = { host: place.address, port: place.port ?? given }
    if (!isSecure) return opened(connectPlain(where), 'connect')
    const name = isIP(hostname) === 0 ? { servername: hostname } : {}
    return opened(connectSecure({ ...where, ...name, rejectUnauthorized: false }), 'secureConnect')
  }
  if (await opens(true)) return 'https'
  return (await opens(false)) ? 'http' : 'https'
}

function opened(socket: Socket, ready: 'connect' | 'secureConnect'): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (isOpen: boolean): void => {
      clearTimeout(timer)
      socket.destroy()
      resolve(isOpen)
    }
    const timer = setTimeout(() => settle(false), 1000 * secondsMax)
    socket.once(ready, () => settle(true))
    socket.on('error', () => settle(false))
    socket.once('close', () => settle(false))
  })
}
