/** The key that requests are signed with, and where its public part is published. */
import { resolve } from 'node:path'
import { RankwardError } from '../../../lib/errors.ts'
import { isUrl } from '../../../lib/host.ts'
import { ValueError, type ValueKind } from '../../../lib/value-kinds.ts'
import type { CrawlSettings } from '../../options/crawl-options.ts'
import { path, value, workerFile } from '../../options/option-row.ts'
import type { CliOf, LaterOf, OptionSet, OptionsOf, Rows, SettingsOf } from '../../options/option-row.ts'

declare module '../../options/crawl-options.ts' {
  interface CrawlOptions extends OptionsOf<PartRows> {}
  interface CrawlSettings extends SettingsOf<PartRows> {}
  interface ResumeOptions extends LaterOf<PartRows, 'resume'> {}
  interface CrawlCliOptions extends CliOf<PartRows> {}
}
type PartRows = typeof rows

/** The origin of an https URL. */
const agentValue: ValueKind<string> = {
  read: (text) => {
    const url = isUrl(text) ? new URL(text) : undefined
    if (url?.protocol !== 'https:' || url.pathname !== '/' || url.search + url.hash + url.username !== '')
      throw new ValueError('the https URL of a site, without a path, such as https://bot.example.org')
    return url.origin
  },
  json: ['string'],
}

const rows = {
  /** A file with an Ed25519 key, as `rankward bot-key` makes it, that only its owner may read: all requests are signed with it. */
  sign: path('key', 'sign all requests with this key (rankward bot-key); only you may read the file', {
    later: 'both',
    becomes: (file: string) => resolve(file),
    example: 'bot.key',
  }),
  /** The https URL of the site that publishes the key directory. */
  signatureAgent: value('url', agentValue, 'with --sign: the site that publishes the public key', {
    later: 'both',
    becomes: (url: string) => agentValue.read(url),
    example: 'https://bot.example.org',
  }),
} satisfies Rows

export const identityOptions: OptionSet = {
  heading: 'Requests:',
  rows,
  workerFiles: { sign: workerFile('sign') },
  agree: ({ sign, signatureAgent, headers = [] }: Partial<CrawlSettings>): void => {
    if ((sign === undefined) !== (signatureAgent === undefined))
      throw new RankwardError(
        'USAGE',
        'sign (--sign KEY) and signatureAgent (--signature-agent URL) need each other: the URL is where sites find the key.',
      )
    const own = headers.find(([name]) => /^signature(-input|-agent)?$/i.test(name))
    if (sign !== undefined && own !== undefined)
      throw new RankwardError('USAGE', `sign (--sign) and the header ${own[0]} contradict each other.`)
  },
}
