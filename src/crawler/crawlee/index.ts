/** `rankward/crawlee`: a request queue in importance order for the crawlers of Crawlee. */
export { ImportanceQueue } from './importance-queue.ts'
export type { ImportanceQueueOptions } from './queue-options.ts'
export type {
  AddedRequest,
  CrawleeRequest,
  CrawleeRequestOptions,
  RequestLike,
  RequestsLike,
} from './crawlee-types.ts'
