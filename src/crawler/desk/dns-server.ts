/** The notation of DNS servers in options. */
import { isIP } from 'node:net'

/** `127.0.0.1`, `127.0.0.1:5353`, `[::1]:53`. */
export function isDnsServer(text: string): boolean {
  const [, bracketed, plain, port] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d+))?$/.exec(text) ?? []
  const isAddress = bracketed === undefined ? isIP(plain ?? '') === 4 : isIP(bracketed) === 6
  return isAddress && (port === undefined || (Number(port) > 0 && Number(port) < 65_536))
}
