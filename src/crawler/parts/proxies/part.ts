/** Proxies: all requests of a crawl are sent by HTTP proxies, which resolve names themselves. */
import { RankwardError } from '../../../lib/errors.ts'
import { badSecret, secretLines } from '../../../lib/files/secret-file.ts'
import { safe } from '../../read/words.ts'
import type { Part } from '../part.ts'
import { proxyList, proxyOptions, proxyValue, shownProxies } from './options.ts'
import { ProxyPool } from './proxy-pool.ts'

export const proxies: Part = {
  name: 'proxies',
  options: proxyOptions,

  secrets(settings): readonly string[] {
    const { proxies: path } = settings
    return [...proxyList(settings), ...(path === undefined ? [] : readProxies(path))]
  },

  client: (settings, urls = proxyList(settings)) => ({ proxies: urls as readonly string[] }),

  proxies({ settings, secrets = proxyList(settings), backOff, now }) {
    const { length: count } = secrets as readonly string[]
    return count === 0 ? undefined : new ProxyPool({ count, backOff, now })
  },

  shows: {
    requests: ({ proxy, proxies: file }) => [
      ...shownProxies(proxy).map((url) => `through the proxy ${safe(url)}`),
      ...(file === undefined ? [] : [`through the proxies in ${safe(file)}`]),
    ],
  },
}

function readProxies(path: string): string[] {
  const found = secretLines(path).map(({ text, number }) => {
    try {
      return proxyValue.read(text)
    } catch {
      throw badSecret(path, number, 'the URL of an HTTP proxy such as http://proxy.example.org:3128')
    }
  })
  if (found.length === 0) throw new RankwardError('BAD_SECRETS', `${path} has no proxy.`)
  return found
}
