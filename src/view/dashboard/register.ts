/** Gives crawls their dashboard and their log. Loaded with the first crawl that has one. */
import { watching } from '../../crawler/session/watching.ts'

watching.provide(async (options, folder) => (await import('./watch.ts')).watchOf(options, folder))
