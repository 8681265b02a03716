import { Command, Option } from 'commander'
import { RankwardError } from '../lib/errors.ts'
import { dashboardAddress } from '../crawler/options/dashboard-address.ts'
import type { ClusterCrawlOptions } from '../crawler/options/cluster-options.ts'
import type { CrawlSource } from '../view/dashboard/crawl-source.ts'
import { CrawlFolder } from '../crawler/record/crawl-folder.ts'
import { clusterCrawlOf, isOnCluster, withClusterOptions } from './cluster/options.ts'
import { parserOf, printJson, wholeNumber } from './options.ts'
import { anyText } from '../lib/value-kinds.ts'

const defaultPort = 8080

interface DashboardCliOptions {
  readonly port: number
  readonly host: string
  readonly dashboardToken?: string
  readonly token?: string
  readonly dashboardName?: readonly string[]
  readonly json?: boolean
}

export function dashboardCommand(): Command {
  const command = new Command('dashboard')
    .description('Show a crawl in the browser, running or finished')
    .argument('[folder]', 'the folder of a crawl; without it, --cluster and --name')
    .option('--port <p>', 'the port; 0 for any free one', wholeNumber({ max: 65_535 }), defaultPort)
    .option('--host <address>', 'the address to listen on', parserOf(anyText('an address')), '127.0.0.1')
    .option(
      '--dashboard-token <file>',
      'a file with the token that reading needs on other addresses, and control of a cluster',
    )
    .addOption(
      new Option('--token <file>', 'older name of --dashboard-token').hideHelp().conflicts('dashboardToken'),
    )
    .option(
      '--dashboard-name <host>',
      'accept requests for this host, such as that of a reverse proxy; may be repeated',
      (name: string, before: readonly string[] | undefined) => [...(before ?? []), name],
    )
    .option('--json', 'print the address and the token as one JSON document')
    .addHelpText(
      'after',
      `
Reads the record of the crawl, as status and report do; the crawl is not affected and cannot be changed. To control a
crawl, start it with --dashboard. A crawl on a cluster can be paused, continued and stopped with the printed token.
docs/dashboard.md describes the views, access and metrics.

Examples:
  rankward dashboard crawl
  rankward dashboard crawl --port 0
  rankward dashboard crawl --host 0.0.0.0 --dashboard-token token.txt
  rankward dashboard --cluster nats://10.0.0.1:4222 --name news`,
    )
    .action(run)
  return withClusterOptions(command)
}

async function run(path: string | undefined, options: DashboardCliOptions, command: Command): Promise<void> {
  const { port, host, dashboardName: names } = options
  const tokenFile = options.dashboardToken ?? options.token
  const isCluster = isOnCluster(command, path)
  const address = dashboardAddress(`${host.includes(':') ? `[${host}]` : host}:${port}`)
  if (address === undefined)
    throw new RankwardError('USAGE', `--host takes an address or a name, not "${host}".`)
  const onProblem = (what: string): void =>
    void process.stderr.write(`rankward: the dashboard has a problem: ${what}\n`)
  const opened = isCluster
    ? await openCluster(clusterCrawlOf(command))
    : { source: await openFolder(path!, onProblem), close: async () => {} }
  try {
    const { openDashboard } = await import('../view/dashboard/dashboard.ts')
    const dashboard = await openDashboard({ source: opened.source, address, tokenFile, names, onProblem })
    const { url, token, needsToken } = dashboard
    if (options.json === true)
      printJson({ url, token: tokenFile === undefined ? token : undefined, needsToken })
    else {
      const access = accessText({ needsToken, isControllable: isCluster, tokenFile, token })
      process.stdout.write(
        `Dashboard: ${url}${access}\nCtrl-C ends it${isCluster ? ', not the crawl' : ''}.\n`,
      )
    }
    await interrupted()
    await dashboard.close()
  } finally {
    await opened.close()
  }
}

async function openFolder(path: string, onProblem: (what: string) => void): Promise<CrawlSource> {
  const { RecordedSource } = await import('../view/dashboard/recorded-source.ts')
  return new RecordedSource(CrawlFolder.open(path), onProblem)
}

async function openCluster({ name, ...servers }: ClusterCrawlOptions): Promise<OpenedSource> {
  const [{ connectCluster }, { ClusterSource }, { natsFailure }] = await Promise.all([
    import('../cluster/jetstream/connect.ts'),
    import('../view/dashboard/cluster-source.ts'),
    import('../cluster/jetstream/nats-errors.ts'),
  ])
  const connection = await connectCluster(servers, { name: 'rankward dashboard' })
  try {
    return {
      source: await ClusterSource.open({ connection, crawl: name }),
      close: () => connection.close(),
    }
  } catch (error) {
    await connection.close()
    throw natsFailure(error)
  }
}

interface OpenedSource {
  readonly source: CrawlSource
  readonly close: () => Promise<void>
}

function accessText({
  needsToken,
  isControllable,
  tokenFile,
  token,
}: {
  readonly needsToken: boolean
  readonly isControllable: boolean
  readonly tokenFile: string | undefined
  readonly token: string
}): string {
  if (!needsToken && !isControllable) return ''
  const what = !needsToken ? 'control needs' : isControllable ? 'reading and control need' : 'reading needs'
  return tokenFile === undefined ? ` (${what} the token ${token})` : ` (${what} the token of your file)`
}

function interrupted(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.removeAllListeners(signal).once(signal, () => resolve())
    }
  })
}
