/**
 * The parts of undici that a fetch thread needs. The package's own entry loads all of it, fetch, WebSocket and caches
 * included: 130 ms of CPU for every thread, against 45 ms for these.
 */
import { createRequire } from 'node:module'
import type * as Undici from 'undici'

const load = createRequire(import.meta.url)

export const Client = load('undici/lib/dispatcher/client.js') as typeof Undici.Client
export const buildConnector = load('undici/lib/core/connect.js') as typeof Undici.buildConnector

/** Loaded where there is a proxy, which needs the rest too. */
export function loadProxyAgent(): typeof Undici.ProxyAgent {
  return (load('undici') as typeof Undici).ProxyAgent
}
