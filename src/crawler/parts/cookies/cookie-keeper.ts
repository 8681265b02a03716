/**
 * The cookies of a crawl across its sessions: a file in the crawl's folder, readable by its owner only, that is
 * replaced as a whole. It is written before the groups of the record, so that a killed crawl resumes with the
 * cookies that its last recorded pages were requested with, or newer ones.
 */
import { existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SerializedCookie } from 'tough-cookie'
import { foreignFolder, namesIn } from '../../../lib/files/output-files.ts'
import { partialPath, unwritable } from '../../../lib/files/whole-file.ts'
import type { RequestFilter } from '../../desk/desk.ts'
import type { CrawlFolder } from '../../record/crawl-folder.ts'
import { CookieJars } from './cookie-jars.ts'
import type { OpenedCrawl, OpenedPart } from '../running-part.ts'
import { cookiesFile } from './part.ts'

/** At most this share of the time is spent on writing. */
const shareMax = 0.05

export async function open({ folder, isResumed, secrets = [] }: OpenedCrawl): Promise<OpenedPart> {
  const keeper = await CookieKeeper.open(folder, isResumed, secrets as readonly SerializedCookie[])
  return {
    filter: filterOf(keeper.jars),
    begin: () => ({
      beforeGroup: () => keeper.save(),
      ended: () => keeper.save(true),
    }),
  }
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

class CookieKeeper {
  readonly jars: CookieJars
  readonly #folder: CrawlFolder
  #nextMs = 0

  private constructor(folder: CrawlFolder, jars: CookieJars) {
    this.#folder = folder
    this.jars = jars
  }

  /** `given`: cookies of the user's file. */
  static async open(
    folder: CrawlFolder,
    isResumed: boolean,
    given: readonly SerializedCookie[],
  ): Promise<CookieKeeper> {
    // Loaded late: most crawls keep no cookies.
    const jars = new CookieJars(await import('tough-cookie'))
    const kept = isResumed ? readCookies(folder) : []
    if (isResumed) removePartial(folder)
    // A worker is given the file at every start, and what a shard has kept is newer.
    const isShard = folder.file.shard !== undefined
    for (const cookies of isShard ? [given, kept] : [kept, given]) jars.restore(cookies)
    return new CookieKeeper(folder, jars)
  }

  /** Writes the cookies if they have changed. Unless it is the last time, not too often. */
  save(isLast = false): void {
    const beganMs = performance.now()
    if (!this.jars.isChanged || (!isLast && beganMs < this.#nextMs)) return
    const path = pathIn(this.#folder)
    const partial = partialPath(path)
    try {
      const text = JSON.stringify({ crawl: this.#folder.file.id, cookies: this.jars.saved() })
      writeFileSync(partial, `${text}\n`, { mode: 0o600, flag: 'wx' })
      renameSync(partial, path)
    } catch (error) {
      rmSync(partial, { force: true })
      throw unwritable(path, error)
    }
    const endedMs = performance.now()
    this.#nextMs = endedMs + (endedMs - beganMs) / shareMax
  }
}

function pathIn({ path }: CrawlFolder): string {
  return join(path, cookiesFile.name)
}

/** Removes partial files that a killed session left. They are empty, or begin like the crawl's cookies. */
function removePartial({ path, file }: CrawlFolder): void {
  for (const name of namesIn(path)) {
    if (!/^\.cookies\.json\.[0-9a-f]+\.partial$/.test(name)) continue
    const partial = join(path, name)
    const text = readFileSync(partial, 'utf8')
    if (text === '' || cookiesFile.isOwn(text, file.id)) rmSync(partial)
  }
}

/** The cookies of the last session. Throws if there is a file that this crawl did not write: it would be replaced. */
function readCookies(folder: CrawlFolder): SerializedCookie[] {
  const path = pathIn(folder)
  if (!existsSync(path)) return []
  try {
    const { crawl, cookies } = JSON.parse(readFileSync(path, 'utf8')) as {
      crawl?: unknown
      cookies?: SerializedCookie[]
    }
    if (crawl === folder.file.id && Array.isArray(cookies)) return cookies
  } catch {
    // A power failure may leave an empty file.
    if (statSync(path).size === 0) return []
  }
  throw foreignFolder(folder.path, [cookiesFile.name], 'Move it away to continue without the cookies in it.')
}
