/**
 * The contents of a served page: a title, some sentences and its links in list order. They are a function of
 * seed, page and link list, so nothing is stored. The title has the page's number, so no two pages are equal,
 * and the sentences are random, so no two are near-duplicates. The text of a link is the title of its target.
 */
import type { LinkCursor } from '../graph.ts'
import { type Random, seededRandom } from '../../lib/random.ts'
import type { WebUrls } from './web-urls.ts'

const words = (text: string): string[] => text.split(' ')
const qualities = words(
  'amber brave calm deep early faint gentle hollow idle jagged kind late mild narrow old pale quiet red slow tall upper vast warm young',
)
const things = words(
  'anchor barley canal door engine ferry garden harbour island jetty kettle lantern meadow needle orchard path quarry river station tower valley window yard zephyr bridge clock field forest glass hill lake letter mill mirror road roof shore stone train wall',
)
const deeds = words(
  'answers borders carries draws encloses follows guards holds joins keeps lights measures names opens passes reaches shades turns veils watches',
)
const places = words('above behind below beside beyond inside near opposite over past through toward under')

/** The HTML of the page at the cursor. */
export function pageHtml(page: number, links: LinkCursor, urls: WebUrls, seed: number): string {
  const title = pageTitle(page, seed)
  let items = ''
  for (let i = links.start; i < links.end; i++) {
    const target = links.targets[i]
    items += `<li><a href="${urls.hrefOf(page, target)}">${pageTitle(target, seed)}</a></li>\n`
  }
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title}</title>
</head>
<body>
<h1>${title}</h1>
<p>${sentences(page, seed)}</p>
${items === '' ? '' : `<ul>\n${items}</ul>\n`}</body>
</html>
`
}

/** Different for every page, for any seed. */
function pageTitle(page: number, seed: number): string {
  const random = seededRandom(seed, page)
  const quality = one(random, qualities)
  return `${quality[0].toUpperCase()}${quality.slice(1)} ${one(random, things)} ${page}`
}

function sentences(page: number, seed: number): string {
  // Not the numbers that the title was drawn from.
  const random = seededRandom(seed + 1, page)
  const count = 4 + random.below(5)
  return Array.from({ length: count }, () => sentence(random)).join(' ')
}

function sentence(random: Random): string {
  const thing = (): string => `the ${one(random, qualities)} ${one(random, things)}`
  return `T${thing().slice(1)} ${one(random, deeds)} ${thing()} ${one(random, places)} ${thing()}.`
}

function one(random: Random, list: readonly string[]): string {
  return list[random.below(list.length)]
}
