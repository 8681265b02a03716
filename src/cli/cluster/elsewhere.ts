/** Crawls on a cluster for the commands that also take a folder. The NATS client is loaded when one of them is read. */
import type { CrawlsElsewhere } from '../crawls-elsewhere.ts'
import { printNote } from '../terminal.ts'
import { isClusterCrawl, withClusterCrawlOptions } from './crawl-options.ts'
import {
  clusterCrawlOf,
  hasClusterOptions,
  isOnCluster,
  withClusterOptions,
  withCopiesOption,
} from './options.ts'

const operator = () => import('../../cluster/operator.ts')

export const crawlsOnCluster: CrawlsElsewhere = {
  withOptions: withClusterOptions,
  withCopyOptions: (command) => withCopiesOption(withClusterOptions(command)),
  withCrawlOptions: withClusterCrawlOptions,
  hasOptions: hasClusterOptions,
  isMeant: isOnCluster,
  isBegun: isClusterCrawl,
  nameOf: (command) => clusterCrawlOf(command).name,
  begin: async (seeds, options, command) =>
    (await import('./crawl.ts')).runClusterCrawl(seeds, options, command),
  status: async (command) => {
    const [{ clusterStatus }, { statusText }] = await Promise.all([operator(), import('./text.ts')])
    const now = await clusterStatus(clusterCrawlOf(command))
    return { json: now, text: statusText(now) }
  },
  explain: async (url, command, progress) => {
    const cache = command.getOptionValue('copies') as string | undefined
    const options = { ...clusterCrawlOf(command), cache, progress, onNotice: printNote }
    return (await operator()).explainCluster(url, options)
  },
  export: async (command, tables) => {
    const cache = command.getOptionValue('copies') as string | undefined
    const options = { ...clusterCrawlOf(command), ...tables, cache, onNotice: printNote }
    return (await operator()).exportCluster(options)
  },
  copied: async (command, progress) => {
    const cache = command.getOptionValue('copies') as string | undefined
    return (await operator()).copyCluster({
      ...clusterCrawlOf(command),
      cache,
      progress,
      onNotice: printNote,
    })
  },
  dashboard: async (command, { address, tokenFile, names, onProblem }) => {
    const [{ connectCluster }, { clusterWatching }, { natsFailure }] = await Promise.all([
      import('../../cluster/jetstream/connect.ts'),
      import('../../cluster/watching.ts'),
      import('../../cluster/jetstream/nats-errors.ts'),
    ])
    const { name: crawl, ...servers } = clusterCrawlOf(command)
    const connection = await connectCluster(servers, { name: 'rankward dashboard' })
    try {
      const opened = await clusterWatching.get()({
        connection,
        crawl,
        dashboard: address,
        dashboardToken: tokenFile,
        dashboardNames: names,
        onProblem,
      })
      const close = async (): Promise<void> => {
        await opened.close()
        await connection.close()
      }
      const { url, token, needsToken } = opened
      return { url, token, needsToken, close }
    } catch (error) {
      await connection.close()
      throw natsFailure(error)
    }
  },
}
