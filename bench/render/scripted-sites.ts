/**
 * A generated web on loopback whose truth is known: 30% of the pages have no script, 40% have a script that adds nothing, 20% are empty
 * pages of React, Vue, Svelte and Angular-like applications, 10% have text and a list of links that a script makes. `oracle`: the pages
 * that gain by rendering.
 */
import { bundledApps, frameworks, shellOf } from '../../test/support/framework-apps.ts'
import type { SmallPage, SmallSites } from '../../test/support/small-web.ts'

export const words = 'Some words about the subject of this page, which differ from page to page. '
const listScript = `for (const n of JSON.parse(document.getElementById('items').textContent)) {
  const a = document.createElement('a'); a.href = n; a.textContent = n; document.body.append(a) }`

type Group = 'doc' | 'news' | 'app' | 'list'
const mixed: readonly Group[] = ['doc', 'doc', 'doc', 'news', 'news', 'news', 'news', 'app', 'app', 'list']
/** Only pages of applications. */
export const shells: readonly Group[] = ['app']

export function pathOf(n: number, groups = mixed): string {
  return `/${groups[n % groups.length]}/${n}`
}

export async function scriptedSites(
  count: number,
  pages: number,
  groups = mixed,
): Promise<{ sites: SmallSites; oracle: number }> {
  const apps = await bundledApps()
  const sites: Record<string, Record<string, SmallPage>> = {}
  let oracle = 0
  for (let site = 0; site < count; site++) {
    const framework = frameworks[site % frameworks.length]
    const answers: Record<string, SmallPage> = {
      '/list.js': { headers: { 'content-type': 'text/javascript' }, body: listScript },
      [`/assets/${framework}.js`]: { headers: { 'content-type': 'text/javascript' }, body: apps[framework] },
    }
    for (let n = 0; n < pages; n++) {
      const links = [3 * n + 1, 3 * n + 2, 3 * n + 3]
        .filter((next) => next < pages)
        .map((next) => pathOf(next, groups))
      const text = `${words}Site ${site}, page ${n}. `.repeat(12)
      const menu = [0, 1, 2].map((each) => `<a href="${pathOf(each, groups)}">menu ${each}</a>`).join(' ')
      const body = `<!doctype html><title>Page ${n}</title>${menu}<h1>Page ${n}</h1><p>${text}</p>`
      const list = links.map((link) => `<a href="${link}">${link}</a>`).join(' ')
      const group = groups[n % groups.length]
      if (group === 'doc') answers[pathOf(n, groups)] = body + list
      else if (group === 'news')
        answers[pathOf(n, groups)] = `${body}${list}<script>var visits = ${n}</script>`
      else if (group === 'app') {
        answers[pathOf(n, groups)] = shellOf(framework)
        answers[`/api${pathOf(n, groups)}`] = {
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ title: `Page ${n}`, text, links }),
        }
      } else
        answers[pathOf(n, groups)] =
          `${body}<script type="application/json" id="items">${JSON.stringify(links)}</script><script src="/list.js"></script>`
      if (group === 'app' || (group === 'list' && links.length > 0)) oracle++
    }
    sites[`127.63.${site >> 8}.${(site & 255) + 1}`] = answers
  }
  return { sites, oracle }
}
