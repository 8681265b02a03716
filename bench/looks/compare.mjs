// Does a crawl's output agree with the server's log? `changes` and the tables of pages, versions and links are computed again from the log
// alone, and every version is read from the archive. Returns the differences as texts.
import { execFileSync } from 'node:child_process'
import { closeSync, openSync, readFileSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

const linesOf = (text) => text.split('\n').filter(Boolean)

/** A response may be complete so much later than the server began to send it, on a busy machine. */
const clockMs = 60_000

/** All that the log says about a page: a line for each version and for each disappearance, and its looks. */
class Expected {
  /** [what, status, version of the server or location, time] */
  changes = []
  /** Of each version: looks, and whether the page disappeared before the next one. */
  versions = []
  links = []
  lastStatus = 0
  #key
  #isLost = false

  add([at, url, status, version, targets]) {
    this.lastStatus = status
    if (status === 404 || status === 410) {
      if (this.#key !== undefined && !this.#isLost) this.changes.push(['gone', status, undefined, at])
      if (this.#key === undefined) return
      this.#isLost = true
      this.versions.at(-1).looks++
      this.versions.at(-1).isGone = true
      return
    }
    const key = JSON.stringify([version, targets])
    const isNew = this.#key === undefined || this.#isLost
    // A redirect of a page to itself is a failure, which says nothing about the page.
    if (status === 304 || (key === this.#key && !isNew) || targets === url) {
      this.versions.at(-1).looks++
      return
    }
    this.changes.push([isNew ? 'new' : 'changed', status, status === 302 ? targets : version, at])
    this.versions.push({ looks: 1, isGone: false, status })
    this.links = status === 302 ? [targets] : targets
    this.#key = key
    this.#isLost = false
  }
}

export const isPage = ([, url]) => !/(robots\.txt|sitemap\.xml|feed\.xml)$/.test(url)

export function compare(cli, folder, logFile) {
  const run = (...args) =>
    linesOf(execFileSync(process.execPath, [cli, ...args], { encoding: 'utf8', maxBuffer: 1 << 30 })).map(
      (line) => JSON.parse(line),
    )
  const table = (name) => run('export', folder, '--to', '-', '--format', 'jsonl', '--table', name)
  const expected = new Map()
  const entries = linesOf(readFileSync(logFile, 'utf8'))
    .map((line) => JSON.parse(line))
    .filter(isPage)
  for (const entry of entries) {
    const page = expected.get(entry[1]) ?? new Expected()
    expected.set(entry[1], page)
    page.add(entry)
  }
  const differences = []
  const equal = (what, is, should) => {
    if (JSON.stringify(is) !== JSON.stringify(should))
      differences.push(`${what}: ${JSON.stringify(is)}, by the log ${JSON.stringify(should)}`)
  }

  const changes = run('changes', folder)
  const changesOf = groupBy(changes, ({ url }) => url)
  for (const [url, { changes: should }] of expected) {
    const is = changesOf.get(url) ?? []
    equal(
      `changes of ${url}`,
      is.map(shown),
      should.map((each) => each.slice(0, 3)),
    )
    // The crawl's clock may lead or trail the system's by some milliseconds.
    for (const [i, { at }] of is.entries())
      if (should[i] && Math.abs(Date.parse(at) - should[i][3]) > clockMs)
        differences.push(`${url}: a change at ${at}, by the log ${new Date(should[i][3]).toISOString()}`)
  }
  equal(
    'pages with changes',
    changesOf.size,
    [...expected.values()].filter(({ changes: { length } }) => length > 0).length,
  )
  const times = changes.map(({ at }) => at)
  equal(
    'order of changes by time within two seconds',
    times.every((at, i) => i === 0 || Date.parse(at) > Date.parse(times[i - 1]) - 2000),
    true,
  )

  const pages = table('pages')
  const urls = pages.map(({ url }) => url)
  for (const { url, state, last_verdict } of pages) {
    const page = expected.get(url)
    if ((page === undefined) !== (state === 'waiting')) differences.push(`${url} is ${state}`)
    if (page?.changes.at(-1)?.[0] === 'gone')
      equal(`last verdict of ${url}`, last_verdict, page.lastStatus === 404 ? 'missing' : 'gone')
  }
  equal('known pages that were requested', urls.filter((url) => expected.has(url)).length, expected.size)

  const versions = groupBy(table('versions'), ({ url }) => url)
  for (const [url, { versions: should }] of expected)
    equal(
      `versions of ${url}`,
      (versions.get(url) ?? []).map(({ looks, gone_at, status }) => [looks, gone_at !== undefined, status]),
      should.map(({ looks, isGone, status }) => [looks, isGone, status]),
    )

  const links = groupBy(table('links'), ({ from }) => urls[from])
  for (const [url, page] of expected) {
    const is = (links.get(url) ?? []).map(({ to }) => urls[to])
    equal(`links of ${url}`, is, withoutOwn(page.links, url))
  }

  for (const change of changes) {
    if (change.change === 'gone') continue
    const text = archived(join(folder, 'warc', change.warc.file), change.warc)
    if (!text.includes(`WARC-Target-URI: ${change.url}\r`))
      differences.push(`${change.url} is not archived at its place`)
    if (
      change.status === 200 &&
      !text.includes('WARC-Type: revisit') &&
      !text.includes(`<title>${change.title}</title>`)
    )
      differences.push(`${change.url} has another title in the archive: ${change.title}`)
  }
  return { differences, looks: entries.length, changes: changes.length, pages: pages.length }
}

/** The server's version is in the title. */
function shown({ change, status, title, location }) {
  if (change === 'gone') return [change, status, undefined]
  const version = /^Page \d+, (\d+)$/.exec(title ?? '')?.[1]
  return [change, status, location ?? (version === undefined ? undefined : Number(version))]
}

/** A page's links to itself are no links. */
const withoutOwn = (targets, url) => targets.filter((target) => target !== url)

function groupBy(list, keyOf) {
  const groups = new Map()
  for (const each of list) {
    const group = groups.get(keyOf(each))
    if (group === undefined) groups.set(keyOf(each), [each])
    else group.push(each)
  }
  return groups
}

function archived(path, { offset, length }) {
  const file = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(length)
    readSync(file, bytes, 0, length, offset)
    return gunzipSync(bytes).toString('latin1')
  } finally {
    closeSync(file)
  }
}
