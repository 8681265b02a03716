/**
 * Secrets of requests, read from the user's files when a session begins. The record, crawl.json and the archive have
 * the paths of the files only, and no message repeats a line of them.
 */
import { badSecret, secretLines } from '../../lib/files/secret-file.ts'
import type { CrawlSettings } from '../options/crawl-settings.ts'
import { partSecrets } from '../parts/all-parts.ts'
import type { HostCredentials } from '../../web/http/request-headers.ts'
import { isHostPattern } from '../../web/url/host-pattern.ts'

export interface RequestSecrets {
  readonly credentials: readonly HostCredentials[]
  /** By part. */
  readonly parts: Readonly<Record<string, unknown>>
}

/**
 * Throws if a file cannot be read, is open to others, or has a line that is not valid. `isGiven`: whether this session was given the
 * option; a resumed crawl has the other options of its earlier sessions.
 */
export function readSecrets(
  settings: CrawlSettings,
  isGiven: (option: string) => boolean = () => true,
): RequestSecrets {
  const { auth } = settings
  return {
    credentials: auth === undefined ? [] : readCredentials(auth),
    parts: partSecrets(settings, isGiven),
  }
}

/** Lines `HOST basic USER:PASSWORD` or `HOST bearer TOKEN`. */
function readCredentials(path: string): HostCredentials[] {
  return secretLines(path).map(({ text, number }) => {
    const [, scheme, host, kind, secret] = /^(https?:\/\/)?(\S+)\s+(basic|bearer)\s+(\S.*)$/i.exec(text) ?? []
    const isBasic = kind?.toLowerCase() === 'basic'
    if (secret === undefined || !isHostPattern(host) || (isBasic && !secret.includes(':')))
      throw badSecret(path, number, '"HOST basic USER:PASSWORD" or "HOST bearer TOKEN"')
    if (!isBasic && !/^[\x21-\x7e]+$/.test(secret))
      throw badSecret(path, number, 'a token of printable ASCII')
    const value = isBasic ? Buffer.from(secret, 'utf8').toString('base64') : secret
    return {
      host: host.toLowerCase(),
      isSecure: scheme?.toLowerCase() !== 'http://',
      authorization: `${isBasic ? 'Basic' : 'Bearer'} ${value}`,
    }
  })
}
