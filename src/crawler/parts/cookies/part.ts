/** Cookies: the crawl keeps the cookies of sites, and sends them back. Requests for robots.txt have none. */
import { secretText } from '../../../lib/files/secret-file.ts'
import { workerEntry } from '../../../lib/worker-entry.ts'
import type { SerializedCookie } from 'tough-cookie'
import type { Part, PartFile } from '../part.ts'
import { cookieOptions } from './options.ts'
import { parseCookieFile } from './netscape-file.ts'

/** `{"crawl":"ID","cookies":[…]}` */
export const cookiesFile: PartFile = {
  name: 'cookies.json',
  isOwn: (text, crawlId) => text.startsWith(`{"crawl":"${crawlId}",`),
  damage(text) {
    try {
      JSON.parse(text)
      return undefined
    } catch {
      return 'It is not JSON.'
    }
  },
}

export const cookies: Part = {
  name: 'cookies',
  options: cookieOptions,
  isUsed: ({ cookies: kept }) => kept !== undefined,
  files: [cookiesFile],

  /** A resumed crawl has cookies of its own, which may be newer than those of a file that was given before. */
  secrets({ cookies: path }, isGiven): SerializedCookie[] {
    const isFile = path !== undefined && path !== 'on' && isGiven('cookies')
    return isFile ? parseCookieFile(secretText(path), path) : []
  },

  client: ({ cookies: kept, archiveCookies }) => ({
    cookies: kept === undefined ? 'none' : archiveCookies === true ? 'archived' : 'kept',
  }),

  reader: workerEntry(import.meta.url, './cookie-reader'),
  thread: ({ cookies: kept }) => (kept === undefined ? undefined : true),

  work: () => import('./cookie-keeper.ts'),

  shows: {
    requests: ({ cookies: kept }) =>
      kept === undefined ? [] : ['with cookies, which are kept between requests'],
  },
}
