/** Rendering: pages that need JavaScript are opened in Chromium, where that adds links or text. */
import { durationText, grouped, percentText, plural } from '../../../lib/amounts.ts'
import { workerEntry } from '../../../lib/worker-entry.ts'
import type { Part } from '../part.ts'
import { shareAtMost } from './confidence.ts'
import { chromiumText } from './find-chromium.ts'
import { renderOptions } from './options.ts'
import { decodeRendered, renderCheck, type RenderedPage } from './render-record.ts'

export interface RenderCounts {
  /** Pages rendered, those whose rendering failed, and those that were not rendered because of a limit. */
  rendered: number
  failed: number
  limited: number
  /** Pages with scripts that were judged static; of those, the pages that were rendered as a check, and the ones that gained. */
  static: number
  checked: number
  checkedGains: number
  /** Links to new pages that rendering has found. */
  links: number
  /** Requests of rendered pages. */
  requests: number
  bytes: number
  /** Of Chromium. */
  cpuSeconds: number
}

declare module '../../options/crawl-options.ts' {
  interface CrawlProgress {
    /** Undefined if no pages are rendered. */
    readonly render?: Readonly<RenderCounts> | undefined
  }
  interface CrawlTotals {
    /** Undefined if no pages are rendered. */
    readonly render?: Readonly<RenderCounts> | undefined
  }
}
declare module '../../read/explanation-parts.ts' {
  interface Explanation {
    /** For a fetched page with scripts, if pages are rendered: why it was rendered, and what that added. */
    readonly rendering?: Pick<RenderedPage, 'look' | 'reason' | 'gain'> | undefined
  }
}

export const render: Part = {
  name: 'render',
  options: renderOptions,
  isUsed: ({ render: wanted }) => wanted !== undefined,
  reader: workerEntry(import.meta.url, './render-reader'),
  thread: ({ render: wanted }) => (wanted === undefined ? undefined : true),
  makesDocuments: ({ render: wanted }) => wanted !== undefined,
  work: () => import('./crawl-render.ts'),

  shows: {
    row: ({ render: counts }) => (counts === undefined ? undefined : ['rendered', countsText(counts)]),

    metrics: [
      {
        name: 'rankward_render_pages_total',
        type: 'counter',
        label: 'outcome',
        help: 'Pages with scripts by what became of their rendering. Metrics with the prefix rankward_render_ exist only if pages are rendered.',
        read: ({ render: counts }) =>
          counts && [
            ['rendered', counts.rendered],
            ['failed', counts.failed],
            ['static', counts.static],
            ['limit', counts.limited],
          ],
      },
      {
        name: 'rankward_render_links_total',
        type: 'counter',
        help: 'Links to new pages that rendering has found.',
        read: ({ render: counts }) => counts?.links,
      },
      {
        name: 'rankward_render_requests_total',
        type: 'counter',
        help: 'Requests of rendered pages.',
        read: ({ render: counts }) => counts?.requests,
      },
      {
        name: 'rankward_render_cpu_seconds_total',
        type: 'counter',
        help: 'Processor time of Chromium.',
        read: ({ render: counts }) => counts?.cpuSeconds,
      },
    ],

    planRow({ render: wanted }) {
      if (wanted === undefined) return undefined
      const which =
        wanted.mode === 'always' ? 'every page with scripts' : 'pages where scripts add links or text'
      const limit = wanted.pages === undefined ? '' : `, at most ${plural(wanted.pages, 'page')}`
      return [
        'Renders',
        [`${which}${limit}, at most ${durationText(wanted.seconds)} each, ${wanted.renderers} at once`],
      ]
    },

    machine: ({ render: wanted }) =>
      wanted === undefined ? undefined : ['Chromium', [chromiumText(wanted.chromium)]],

    verify: renderCheck,

    async explain({ record, settings }, page) {
      if (settings.render === undefined) return {}
      let rendering: RenderedPage | undefined
      for await (const event of record.entries('rendered', decodeRendered))
        if (event.kind === 'page' && event.page === page) rendering = event
      return { rendering }
    },

    explained({ rendering, outcome }) {
      const became = outcome?.render
      if (became === undefined) return undefined
      if (rendering === undefined) return ['Rendering', [outcomeWords[became]]]
      const { gain } = rendering
      const added =
        gain === undefined
          ? []
          : [
              `${plural(gain.links, 'link')} that the source lacks, ${grouped(gain.newLinks)} of them to pages that were new`,
              `${grouped(gain.textBefore)} bytes of text before, ${grouped(gain.textAfter)} after`,
            ]
      return ['Rendering', [`${outcomeWords[became]}: ${reasonWords[rendering.reason]}`, ...added]]
    },
  },
}

const outcomeWords = {
  done: 'rendered',
  cut: 'rendered up to the time limit',
  timeout: 'not rendered: it did not answer in time',
  crashed: 'not rendered: the page or the browser crashed',
  refused: 'not rendered: it opened too many dialogs or windows',
  static: 'not rendered: its scripts were judged to add nothing',
  limit: 'not rendered: a limit of rendering was reached',
}

const reasonWords = {
  asked: 'every such page is',
  sample: 'a sample of its kind',
  kind: 'pages of its kind gain by it',
  audit: 'a check, chosen by chance',
  again: 'a check of a kind that gained nothing before',
}

/** "1,204 pages (310 CPU-seconds) …" and what not rendering the others can have missed. */
export function countsText(counts: RenderCounts): string {
  const { rendered, failed, limited, links, requests, cpuSeconds } = counts
  return [
    `${plural(rendered, 'page')} with ${grouped(Math.round(cpuSeconds))} CPU-seconds and ${plural(requests, 'request')}: ${plural(links, 'new link')}`,
    ...(failed === 0 ? [] : [`${grouped(failed)} failed`]),
    ...(limited === 0 ? [] : [`${grouped(limited)} not rendered because of a limit`]),
    ...missedText(counts),
  ].join('; ')
}

function missedText({ static: left, checked, checkedGains }: RenderCounts): string[] {
  if (left === 0) return []
  const judged = `${plural(left + checked, 'page')} judged static`
  if (checked === 0) return [judged]
  const bound = percentText(shareAtMost(checkedGains, checked))
  return [
    `${judged}, ${grouped(checked)} of them rendered as a check, of which ${checkedGains === 0 ? 'none' : grouped(checkedGains)} gained: with 95% confidence rendering all would have added links or text to at most ${bound} of them`,
  ]
}
