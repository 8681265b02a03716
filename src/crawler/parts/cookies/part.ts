/** Cookies: the crawl keeps the cookies of sites, and sends them back. Requests for robots.txt have none. */
import { secretText } from '../../../lib/files/secret-file.ts'
import type { SerializedCookie } from 'tough-cookie'
import type { RequestFilter } from '../../desk/desk.ts'
import type { Part } from '../part.ts'
import type { CookieJars } from './cookie-jars.ts'
import { cookiesFile, CookieKeeper } from './cookie-keeper.ts'
import { parseCookieFile } from './netscape-file.ts'

export const cookies: Part = {
  name: 'cookies',
  files: [cookiesFile],

  /** A resumed crawl has cookies of its own, which may be newer than those of a file that was given before. */
  secrets({ cookies: path }, isGiven): SerializedCookie[] {
    const isFile = path !== undefined && path !== 'on' && isGiven('cookies')
    return isFile ? parseCookieFile(secretText(path), path) : []
  },

  client: ({ cookies: kept, archiveCookies }) => ({
    cookies: kept === undefined ? 'none' : archiveCookies === true ? 'archived' : 'kept',
  }),

  thread: ({ cookies: kept }) => (kept === undefined ? undefined : true),
  reader: () => import('./reader.ts'),

  async open({ settings, folder, isResumed, secrets = [] }) {
    if (settings.cookies === undefined) return undefined
    const keeper = await CookieKeeper.open(folder, isResumed, secrets as readonly SerializedCookie[])
    return {
      filter: filterOf(keeper.jars),
      begin: () => ({
        beforeGroup: () => keeper.save(),
        ended: () => keeper.save(true),
      }),
    }
  },
}

function filterOf(jars: CookieJars): RequestFilter {
  return {
    request: (request) =>
      request.purpose === 'robots' ? request : { ...request, cookie: jars.headerOf(request.url) },
    result(result) {
      const isNew = result.setCookies !== undefined && jars.take(result.setCookies)
      const beginsSession = isNew && result.location !== undefined && result.purpose === 'page'
      return beginsSession ? { ...result, beginsSession } : result
    },
  }
}
