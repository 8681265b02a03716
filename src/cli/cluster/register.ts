/** Gives `--cluster` to the commands that also take a folder. */
import { crawlsElsewhere } from '../crawls-elsewhere.ts'

crawlsElsewhere.provide(async () => (await import('./elsewhere.ts')).crawlsOnCluster)
