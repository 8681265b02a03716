import { Command } from 'commander'
import { checkOutputs } from '../lib/files/output-files.ts'
import { writeText } from '../lib/files/whole-file.ts'
import { plural } from './crawl/words.ts'
import { printJson, wholeNumber, withOutputOptions, withWritingOptions } from './options.ts'
import type { OutputOptions, WritingOptions } from './options.ts'
import { interrupted, progressBar, safe } from './terminal.ts'

const defaultPort = 8090

interface ServeCliOptions extends OutputOptions, WritingOptions {
  readonly at?: string
  readonly port: number
  readonly ca?: string
}

export function serveCommand(): Command {
  const command = new Command('serve')
    .description('Serve an archive as an HTTP proxy on this machine, for browsers and crawlers')
    .argument(
      '<archives...>',
      'folders of crawls, WARC files (.warc, .warc.gz) and WACZ files (.wacz), as one archive',
    )
    .option(
      '--at <time>',
      'serve each URL as it was at this time: 2026-01-31, 2026-01-31T12:00:00Z (default: its newest version)',
    )
    .option('--port <p>', 'the port; 0 for any free one', wholeNumber({ max: 65_535 }), defaultPort)
    .option('--ca <file>', 'write the certificate that https clients must trust to this file')
    .addHelpText(
      'after',
      `
Every URL gets its archived response: status, headers and body as recorded. Others get 404 with the header Rankward-Archive. Nothing is
requested from the web. For https the server makes certificates; clients trust the one that --ca writes, or check none.

Examples:
  rankward serve crawl
  rankward serve crawl.wacz --at 2026-01-31 --port 9000
  rankward serve *.warc.gz --ca ca.pem
  rankward crawl https://example.org/ --out again --proxy http://127.0.0.1:8090 --insecure --wait 0
  curl --proxy http://127.0.0.1:8090 --cacert ca.pem --compressed https://example.org/
  chromium --proxy-server=http://127.0.0.1:8090 --ignore-certificate-errors --user-data-dir=replay https://example.org/

docs/guide/archives.md has the details.`,
    )
    .action(run)
  return withOutputOptions(withWritingOptions(command))
}

async function run(archives: string[], options: ServeCliOptions): Promise<void> {
  const { at, port, ca, overwrite, json } = options
  checkOutputs([ca], { overwrite })
  const { serve } = await import('../web/replay/replay-server.ts')
  const bar = progressBar('Reading the archive', options.progress)
  const served = await serve(archives, { at, port, progress: bar.progress }).finally(() => bar.end())
  if (ca !== undefined) await writeText(ca, [served.authority])
  for (const problem of served.problems) process.stderr.write(`rankward: note: ${safe(problem)}\n`)
  const { url, urls, captures, first, last } = served
  if (json === true) printJson({ url, urls, captures, first, last, problems: served.problems })
  else
    process.stdout.write(
      `Proxy: ${url}\n${plural(captures, 'response')} of ${plural(urls, 'URL')}, ${first.toISOString()} to ${last.toISOString()}.\nCtrl-C ends it.\n`,
    )
  await interrupted()
  await served.close()
}
