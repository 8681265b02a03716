/**
 * All errors reported to users, by stable code. A message gives the value found, the value expected and a
 * remedy. `docs/reference/errors.md` explains each code; a test keeps that page and this table in step.
 */
export const errorCodes = {
  USAGE: { exitCode: 2, about: 'An unknown option or argument, or an invalid value' },
  BAD_EDGE_LIST: { exitCode: 1, about: 'A line of an edge list that is not two page ids' },
  BAD_URL_LIST: { exitCode: 1, about: 'A URL list that does not fit its graph, or a line that is not a URL' },
  BAD_PAGE_CONTENTS: { exitCode: 1, about: 'A line of a page file that is not a page' },
  BAD_BV_GRAPH: { exitCode: 1, about: 'A WebGraph (BV) file that contradicts its properties' },
  BAD_RANKWARD_GRAPH: { exitCode: 1, about: 'A Rankward graph file that is truncated, corrupt or too new' },
  BAD_SCORE_FILE: {
    exitCode: 1,
    about: 'A line of a score, trust or site file that is not an id and a number',
  },
  BAD_CHANGES: {
    exitCode: 1,
    about: 'A folder of recorded changes with a line that is no page, version or link',
  },
  BAD_STRATEGY_MODULE: {
    exitCode: 2,
    about: 'A strategy module that cannot be loaded or does not create a strategy',
  },
  BAD_SCORER: { exitCode: 2, about: 'A scorer module that cannot be loaded or does not export a function' },
  BAD_HANDLER: { exitCode: 2, about: 'A page handler that cannot be loaded or does not export a function' },
  INLINE_CODE: {
    exitCode: 2,
    about:
      'A crawl whose strategy, frontier, scorer or handler was passed as code that is now missing or different',
  },
  BAD_REPORT_INPUT: { exitCode: 1, about: 'A file given to `report` that is not a saved simulation' },
  BAD_SEED: { exitCode: 2, about: 'A seed that is not an http or https URL, or no seed at all' },
  BAD_SECRETS: {
    exitCode: 2,
    about:
      'A file of credentials, proxies or cookies that other users may read, or with a line that is not valid',
  },
  BAD_CONFIG: { exitCode: 2, about: 'A config file that is not JSON or has an unknown option' },
  CRAWL_EXISTS: { exitCode: 2, about: 'A new crawl in a folder that already holds a crawl' },
  FOREIGN_FILES: {
    exitCode: 2,
    about: 'A folder or file that Rankward did not write and would have to overwrite',
  },
  NO_CRAWL: { exitCode: 2, about: 'A folder that holds no crawl' },
  NO_CHROMIUM: { exitCode: 2, about: 'Pages are to be rendered, and no Chromium can be started for that' },
  NO_ARCHIVE: { exitCode: 2, about: 'A crawl without an archive, for a command that reads pages' },
  NOTHING_FETCHED: { exitCode: 1, about: 'A crawl that could not fetch a single page' },
  BAD_SNAPSHOT: { exitCode: 1, about: 'A saved state that is damaged, truncated or of another version' },
  BAD_WARC: { exitCode: 1, about: 'A WARC file that is damaged or not a WARC file at all' },
  BAD_GZIP: { exitCode: 1, about: 'A gzip or Brotli file that is truncated or damaged' },
  UNKNOWN_FORMAT: {
    exitCode: 1,
    about: 'A file in an unknown format, or an unknown file extension for output',
  },
  FILE_UNREADABLE: { exitCode: 1, about: 'A file that cannot be opened or read' },
  FILE_UNWRITABLE: { exitCode: 1, about: 'A file that cannot be written' },
  CRAWL_RUNNING: { exitCode: 2, about: 'A crawl that another process is running' },
  FENCED: { exitCode: 1, about: 'A crawl that another process has taken over' },
  NATS_UNREACHABLE: {
    exitCode: 1,
    about: 'NATS servers of a cluster that cannot be reached or do not respond',
  },
  NATS_REFUSED: {
    exitCode: 1,
    about: 'NATS servers that refuse the user, a certificate, or an operation without permission',
  },
  NATS_UNSUITABLE: { exitCode: 1, about: 'NATS servers that cannot hold a crawl' },
  BAD_STREAM: {
    exitCode: 1,
    about: 'A message of a cluster that is truncated, of a newer version, or contradicts another one',
  },
  RECORD_COMPACTED: { exitCode: 1, about: 'A crawl whose record was compacted while it was read' },
  NO_DASHBOARD: {
    exitCode: 1,
    about: 'A dashboard, or metrics of a worker, whose address or port cannot be used',
  },
  STORE_UNAVAILABLE: {
    exitCode: 1,
    about: 'An archive elsewhere (--archive) that does not respond, refuses a request, or lacks files',
  },
  GRAPH_TOO_LARGE: { exitCode: 1, about: 'More pages or links than this representation can hold' },
  NO_SUCH_PAGE: { exitCode: 2, about: 'A page id that is not in the graph' },
  THREAD_ENDED: { exitCode: 1, about: 'A fetch thread that ended during a crawl' },
  BUG: { exitCode: 1, about: 'An internal assertion failed' },
} as const satisfies Record<string, { exitCode: number; about: string }>

export type ErrorCode = keyof typeof errorCodes

export class RankwardError extends Error {
  readonly code: ErrorCode

  constructor(code: ErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'RankwardError'
    this.code = code
  }

  get exitCode(): number {
    return errorCodes[this.code].exitCode
  }
}
