import { Command, Option } from 'commander'
import { RankwardError } from '../lib/errors.ts'
import { dashboardAddress } from '../crawler/options/dashboard-address.ts'
import { CrawlFolder } from '../crawler/record/crawl-folder.ts'
import { meantElsewhere, type CrawlsElsewhere, type OpenedDashboard } from './crawls-elsewhere.ts'
import { parserOf, printJson, wholeNumber } from './options.ts'
import { interrupted } from './terminal.ts'
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

export function dashboardCommand(elsewhere?: CrawlsElsewhere): Command {
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
docs/guide/dashboard.md describes the views, access and metrics.

Examples:
  rankward dashboard crawl
  rankward dashboard crawl --port 0
  rankward dashboard crawl --host 0.0.0.0 --dashboard-token token.txt
  rankward dashboard --cluster nats://10.0.0.1:4222 --name news`,
    )
    .action((folder: string | undefined, options: DashboardCliOptions) =>
      run(folder, options, meantElsewhere(elsewhere, command, folder), command),
    )
  return elsewhere?.withOptions(command) ?? command
}

async function run(
  path: string | undefined,
  options: DashboardCliOptions,
  meant: CrawlsElsewhere | undefined,
  command: Command,
): Promise<void> {
  const { port, host, dashboardName: names } = options
  const tokenFile = options.dashboardToken ?? options.token
  const address = `${host.includes(':') ? `[${host}]` : host}:${port}`
  if (dashboardAddress(address) === undefined)
    throw new RankwardError('USAGE', `--host takes an address or a name, not "${host}".`)
  const onProblem = (what: string): void =>
    void process.stderr.write(`rankward: the dashboard has a problem: ${what}\n`)
  const opening = { address, tokenFile, names, onProblem }
  const dashboard = (await meant?.dashboard(command, opening)) ?? (await openRecorded(path!, opening))
  const { url, token, needsToken } = dashboard
  if (options.json === true)
    printJson({ url, token: tokenFile === undefined ? token : undefined, needsToken })
  else {
    const isControllable = meant !== undefined
    const access = accessText({ needsToken, isControllable, tokenFile, token })
    process.stdout.write(
      `Dashboard: ${url}${access}\nCtrl-C ends it${isControllable ? ', not the crawl' : ''}.\n`,
    )
  }
  await interrupted()
  await dashboard.close()
}

async function openRecorded(
  path: string,
  { address, ...options }: Parameters<CrawlsElsewhere['dashboard']>[1],
): Promise<OpenedDashboard> {
  const { onProblem } = options
  const [{ RecordedSource }, { openDashboard }] = await Promise.all([
    import('../view/dashboard/recorded-source.ts'),
    import('../view/dashboard/dashboard.ts'),
  ])
  const source = new RecordedSource(CrawlFolder.open(path), onProblem)
  return openDashboard({ ...options, source, address: dashboardAddress(address)! })
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
