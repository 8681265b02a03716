/** Gives crawls their dashboard and their log. Loaded with the first crawl that has one. */
import { registerWatch } from '../../crawler/session/watching.ts'

registerWatch(async (options, folder) => (await import('./watch.ts')).watchOf(options, folder))
