import { Command } from 'commander'
import { RankwardError } from '../lib/errors.ts'
import { dashboardAddress } from '../options/dashboard-address.ts'
import { CrawlFolder } from '../record/crawl-folder.ts'
import { parserOf, printJson, wholeNumber } from './options.ts'
import { anyText } from '../lib/value-kinds.ts'

const defaultPort = 8080

interface DashboardCliOptions {
  readonly port: number
  readonly host: string
  readonly token?: string
  readonly name?: readonly string[]
  readonly json?: boolean
}

export function dashboardCommand(): Command {
  return new Command('dashboard')
    .description('Show a crawl in the browser, running or finished')
    .argument('<folder>', 'the folder of a crawl')
    .option('--port <p>', 'the port; 0 for any free one', wholeNumber({ max: 65_535 }), defaultPort)
    .option('--host <address>', 'the address to listen on', parserOf(anyText('an address')), '127.0.0.1')
    .option('--token <file>', 'a file with the token that reading needs on other addresses')
    .option(
      '--name <host>',
      'accept requests for this host, such as that of a reverse proxy; may be repeated',
      (name: string, before: readonly string[] | undefined) => [...(before ?? []), name],
    )
    .option('--json', 'print the address and the token as one JSON document')
    .addHelpText(
      'after',
      `
Reads the record of the crawl, as status and report do; the crawl is not affected and cannot be changed. To control a
crawl, start it with --dashboard. docs/dashboard.md describes the views, access and metrics.

Examples:
  rankward dashboard crawl
  rankward dashboard crawl --port 0
  rankward dashboard crawl --host 0.0.0.0 --token token.txt`,
    )
    .action(run)
}

async function run(path: string, options: DashboardCliOptions): Promise<void> {
  const { port, host, token: tokenFile, name: names } = options
  const folder = CrawlFolder.open(path)
  const address = dashboardAddress(`${host.includes(':') ? `[${host}]` : host}:${port}`)
  if (address === undefined)
    throw new RankwardError('USAGE', `--host takes an address or a name, not "${host}".`)
  const { openDashboard } = await import('../dashboard/dashboard.ts')
  const dashboard = await openDashboard({
    folder,
    address,
    tokenFile,
    names,
    onProblem: (what) => process.stderr.write(`rankward: the dashboard has a problem: ${what}\n`),
  })
  const { url, token, needsToken } = dashboard
  if (options.json === true)
    printJson({ url, token: tokenFile === undefined ? token : undefined, needsToken })
  else process.stdout.write(`Dashboard: ${url}${accessText(needsToken, tokenFile, token)}\nCtrl-C ends it.\n`)
  await interrupted()
  await dashboard.close()
}

function accessText(needsToken: boolean, tokenFile: string | undefined, token: string): string {
  if (!needsToken) return ''
  return tokenFile === undefined ? `; the token is ${token}` : '; it needs the token of your file'
}

function interrupted(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.removeAllListeners(signal).once(signal, () => resolve())
    }
  })
}
