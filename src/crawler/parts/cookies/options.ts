/** Cookies: whether they are kept, and whether they are archived. */
import { resolve } from 'node:path'
import { RankwardError } from '../../../lib/errors.ts'
import { anyText } from '../../../lib/value-kinds.ts'
import type { CrawlSettings } from '../../options/crawl-options.ts'
import { on, value } from '../../options/option-row.ts'
import type { CliOf, LaterOf, OptionSet, OptionsOf, Rows, SettingsOf } from '../../options/option-row.ts'

declare module '../../options/crawl-options.ts' {
  interface CrawlOptions extends OptionsOf<PartRows> {}
  interface CrawlSettings extends SettingsOf<PartRows> {}
  interface ResumeOptions extends LaterOf<PartRows, 'resume'> {}
  interface CrawlCliOptions extends CliOf<PartRows> {}
}
type PartRows = typeof rows

const rows = {
  /** Keep cookies, as `on`, or beginning with those of a file in the format of Netscape. By default none are kept. */
  cookies: {
    ...value(
      'on|file',
      anyText('on, or a path'),
      'keep cookies; a file in Netscape format has the first ones',
      {
        later: 'both',
        becomes: (given: string) => (given === 'on' ? 'on' : resolve(given)),
        example: 'on',
      },
    ),
    isPath: true,
  },
  /** Archive Cookie and Set-Cookie headers; by default a crawl that keeps cookies does not. */
  archiveCookies: on('archive Cookie and Set-Cookie headers, which a crawl with --cookies leaves out', {
    level: 'config',
    later: 'both',
    becomes: (given: boolean) => (given ? true : undefined),
  }),
} satisfies Rows

export const cookieOptions: OptionSet = {
  heading: 'Requests:',
  rows,
  contradictions: [
    { one: 'warc', other: 'archiveCookies', why: 'contradict each other: leave one of them out' },
  ],
  workerFiles: {
    cookies: {
      paths: ({ cookies: kept }) => (kept === undefined || kept === 'on' ? [] : [kept]),
      with: (settings, [path]) => ({ ...settings, cookies: path }),
    },
  },
  agree: ({ cookies, archiveCookies, headers = [] }: Partial<CrawlSettings>): void => {
    if (cookies === undefined && archiveCookies === true)
      throw new RankwardError('USAGE', 'archiveCookies needs cookies (--cookies): without it, none are kept.')
    if (cookies !== undefined && headers.some(([name]) => name.toLowerCase() === 'cookie'))
      throw new RankwardError(
        'USAGE',
        'cookies (--cookies) and a Cookie header contradict each other: give the cookies in a file, --cookies FILE.',
      )
  },
}
