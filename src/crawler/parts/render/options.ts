/** Rendering: which pages have their scripts run, and how much of that is done. */
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { RankwardError } from '../../../lib/errors.ts'
import { atLeast, durationValue, oneOf, whole } from '../../../lib/value-kinds.ts'
import type { CrawlOptions, CrawlSettings, ResumeOptions } from '../../options/crawl-options.ts'
import { list, on, path, value } from '../../options/option-row.ts'
import type { CliOf, LaterOf, OptionSet, OptionsOf, Rows } from '../../options/option-row.ts'
import { patternValue } from '../../options/value-kinds.ts'

declare module '../../options/crawl-options.ts' {
  interface CrawlOptions extends OptionsOf<PartRows> {}
  interface CrawlSettings {
    /** Absent if no page is rendered. */
    readonly render?: RenderSettings | undefined
  }
  interface ResumeOptions extends LaterOf<PartRows, 'resume'> {}
  interface CrawlCliOptions extends CliOf<PartRows> {}
}
type PartRows = typeof rows

export interface RenderSettings {
  readonly mode: 'auto' | 'always'
  readonly include: readonly string[]
  readonly exclude: readonly string[]
  readonly pages?: number | undefined
  readonly share?: number | undefined
  readonly seconds: number
  /** Pages that are rendered at once, and requests of a page without a gap. */
  readonly renderers: number
  readonly burst: number
  readonly chromium?: string | undefined
  readonly hasSandbox: boolean
}

const later = { later: 'both', isSetting: false } as const
const expert = { ...later, level: 'config' } as const

const rows = {
  /** Run the scripts of pages in Chromium: `never`, `auto` (where that adds links or text) or `always`; default `never`. */
  render: value(
    'mode',
    oneOf(['never', 'auto', 'always'] as const),
    'run the scripts of pages in Chromium: never, auto (where it adds links or text), always',
    {
      level: 'common',
      later: 'both',
      isSetting: false,
      usual: 'never',
      notOnShards:
        'a rendered page requests several files of a host at once, and other workers would not keep the rests that follow',
    },
  ),
  /** With `render`: always render pages whose URLs match one of these patterns. */
  renderInclude: list('pattern', patternValue, 'always render matching pages', {
    ...later,
    example: ['/app/**'],
  }),
  /** With `render`: never render pages whose URLs match one of these patterns. */
  renderExclude: list('pattern', patternValue, 'never render matching pages', {
    ...later,
    example: ['/docs/**'],
  }),
  /** Render at most this many pages. */
  renderPages: value('n', whole(1), 'render at most this many pages', later),
  /** The largest share of the CPU seconds of the crawl that Chromium may take, from 0 to 1; default 1. */
  renderShare: value('x', atLeast(0, 1), 'at most this share of the CPU seconds of the crawl for rendering', {
    ...later,
    usual: 1,
  }),
  /** Seconds that a page may take, without those in which its requests are under way; default 15. */
  renderSeconds: value('t', durationValue, 'the time that a page may take, without its requests', {
    ...later,
    cli: 'renderTime',
    usual: '15s',
  }),
  /** Start Chromium without its sandbox. Root can start it only so. */
  renderNoSandbox: on('start Chromium without its sandbox: root can start it only so', later),
  /** Pages that are rendered at once; default: half of the cores, at least 2. */
  renderers: value(
    'n',
    whole(1, 64),
    'pages that are rendered at once (default: half of the cores, at least 2)',
    {
      ...expert,
      example: 4,
    },
  ),
  /** Requests of a page to one host without a gap between them; the host rests for all gaps afterwards; default 8. */
  renderBurst: value('n', whole(1, 100), 'requests of a page to one host without a gap between them', {
    ...expert,
    usual: 8,
  }),
  /** The Chromium or Chrome to start; default: the one on this machine. */
  renderChromium: path('file', 'the Chromium or Chrome to start', {
    ...expert,
    becomes: (file: string) => resolve(file),
    example: '/usr/bin/chromium',
  }),
} satisfies Rows

const dependent = Object.keys(rows).filter((name) => name !== 'render') as (keyof typeof rows)[]

export const renderOptions: OptionSet = {
  heading: 'Pages that need JavaScript:',
  rows,
  settings: (options: CrawlOptions) => ({ render: settingsOf(options, undefined) }),
  resumed: ({ render: before }: CrawlSettings, options: ResumeOptions) => ({
    render: settingsOf(options, before),
  }),
  check: (options: CrawlOptions): void => {
    if (options.render !== undefined && options.render !== 'never') return
    const given = dependent.find((name) => options[name] !== undefined)
    if (given !== undefined)
      throw new RankwardError('USAGE', `Option ${given} of crawl needs render: 'auto' or render: 'always'.`)
  },
  typed: ({ cli, before, shown }) => {
    const mode = cli.render ?? before?.render?.mode ?? 'never'
    if (mode !== 'never') return
    const given = dependent.find((name) => (cli as Readonly<Record<string, unknown>>)[name] !== undefined)
    if (given !== undefined)
      throw new RankwardError('USAGE', `${shown(given)} needs --render auto or --render always.`)
  },
}

/** Values that are not given stay as they were. */
function settingsOf(
  options: Partial<CrawlOptions>,
  before: RenderSettings | undefined,
): RenderSettings | undefined {
  const mode = options.render ?? before?.mode ?? 'never'
  if (mode === 'never') return undefined
  const noSandbox = options.renderNoSandbox
  return {
    mode,
    include: options.renderInclude ?? before?.include ?? [],
    exclude: options.renderExclude ?? before?.exclude ?? [],
    pages: options.renderPages ?? before?.pages,
    share: options.renderShare ?? before?.share,
    seconds: options.renderSeconds ?? before?.seconds ?? 15,
    renderers: options.renderers ?? before?.renderers ?? Math.max(2, availableParallelism() >> 1),
    burst: options.renderBurst ?? before?.burst ?? 8,
    chromium: options.renderChromium ?? before?.chromium,
    hasSandbox: noSandbox === undefined ? (before?.hasSandbox ?? true) : !noSandbox,
  }
}
