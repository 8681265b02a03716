/** The page handler of a crawl. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { handlerCheck, type HandlerChoice } from '../../../engine/user-code/page-handler.ts'
import { RankwardError } from '../../../lib/errors.ts'
import { durationValue, whole } from '../../../lib/value-kinds.ts'
import type { CrawlOptions, CrawlSettings, ResumeOptions } from '../../options/crawl-options.ts'
import { path, typed, value } from '../../options/option-row.ts'
import type { CliOf, LaterOf, OptionSet, OptionsOf, Rows } from '../../options/option-row.ts'

declare module '../../options/crawl-options.ts' {
  interface CrawlOptions extends OptionsOf<PartRows> {}
  interface CrawlSettings {
    /** Absent without a page handler. */
    readonly handler?: HandlerSettings | undefined
  }
  interface ResumeOptions extends LaterOf<PartRows, 'resume'> {}
  interface CrawlCliOptions extends CliOf<PartRows> {}
}
type PartRows = typeof rows

export interface HandlerSettings {
  /** The path of its module; absent if a program passed it as code. */
  readonly module?: string | undefined
  /** The name of its code. */
  readonly code?: string | undefined
  /** Time limit per page. */
  readonly seconds: number
  readonly threads: number
  /** The file of the items, or `-`; absent: items.jsonl in the crawl's folder. */
  readonly items?: string | undefined
}

const rows = {
  /**
   * Receives each fetched page, returns items and decides which of its links are followed. A module runs in threads of its
   * own, a function in the calling thread.
   */
  onPage: path('file', './handler.ts or .js: receives each page; returns items, chooses and adds links', {
    level: 'common',
    later: 'both',
    check: typed<HandlerChoice>(handlerCheck),
    isSetting: false,
    example: './handler.ts',
  }),
  /** The file of the items; `-` is standard output. Default: items.jsonl in the crawl's folder. */
  items: path(
    'file',
    'write the items to this file, - for standard output (default: items.jsonl in the folder)',
    {
      level: 'common',
      later: 'both',
      isSetting: false,
      notOnShards: 'each shard has its own file; export --table items reads them all',
      example: 'items.jsonl',
    },
  ),
  /** Time limit of the handler per page; default 10. */
  onPageSeconds: value('t', durationValue, 'time limit of the handler per page', {
    cli: 'onPageTime',
    level: 'config',
    later: 'both',
    isSetting: false,
    usual: '10s',
  }),
  /** Threads of a handler that is a module; default 1. */
  onPageThreads: value('n', whole(1, 256), 'threads of the handler, each with its own copy', {
    level: 'config',
    later: 'both',
    isSetting: false,
    usual: 1,
  }),
} satisfies Rows

export const handlerOptions: OptionSet = {
  heading: 'What to extract:',
  rows,
  settings: (options: CrawlOptions) => ({
    handler: handlerSettings(options),
  }),
  resumed: ({ handler }: CrawlSettings, options: ResumeOptions) => ({
    handler: handlerSettings(options, handler),
  }),
  onShards: ({ handler }) => {
    if (handler?.code !== undefined)
      throw new RankwardError(
        'USAGE',
        'A crawl on a cluster needs its page handler as a module: each worker loads it from a file.',
      )
  },
  workerFiles: {
    onPage: {
      paths: ({ handler }) => (handler?.module === undefined ? [] : [handler.module]),
      with: (settings, [module]) => ({ ...settings, handler: { ...settings.handler!, module } }),
    },
  },
  typed: ({ cli, before, shown }) => {
    const { onPage } = cli
    if (onPage === undefined && before?.handler === undefined) {
      const given = (['items', 'onPageTime', 'onPageThreads'] as const).find(
        (name) => cli[name] !== undefined,
      )
      if (given !== undefined)
        throw new RankwardError(
          'USAGE',
          `${shown(given)} belongs to a page handler: give --on-page FILE too.`,
        )
    }
    if (onPage !== undefined && !existsSync(onPage))
      throw new RankwardError('BAD_HANDLER', `Cannot use the page handler ${onPage}: there is no such file.`)
    const other = (['json', 'events'] as const).find((name) => cli[name] === true)
    if (other !== undefined && (cli.items ?? before?.handler?.items) === '-')
      throw new RankwardError(
        'USAGE',
        `--items - and ${shown(other)} both write to standard output: give --items FILE.`,
      )
  },
}

/** `before`: those of the session that is resumed. */
function handlerSettings(
  options: Pick<CrawlOptions, keyof PartRows>,
  before?: HandlerSettings,
): HandlerSettings | undefined {
  const { onPage, onPageSeconds, onPageThreads, items } = options
  if (onPage === undefined && before === undefined) return noHandler(options)
  const earlier: HandlerSettings = { seconds: 10, threads: 1, ...before }
  return {
    ...(onPage === undefined ? { module: earlier.module, code: earlier.code } : handlerOf(onPage)),
    seconds: onPageSeconds ?? earlier.seconds,
    threads: onPageThreads ?? earlier.threads,
    items: items === undefined ? earlier.items : items === '-' ? items : resolve(items),
  }
}

function noHandler(options: Pick<CrawlOptions, keyof PartRows>): undefined {
  const names = ['onPageSeconds', 'onPageThreads', 'items'] as const
  const given = names.find((name) => options[name] !== undefined)
  if (given === undefined) return
  throw new RankwardError('USAGE', `Option ${given} belongs to a page handler: give onPage too.`)
}

function handlerOf(onPage: HandlerChoice): Pick<HandlerSettings, 'module' | 'code'> {
  if (typeof onPage === 'string') return { module: resolve(onPage) }
  return { code: onPage.name === '' ? 'onPage' : onPage.name }
}
