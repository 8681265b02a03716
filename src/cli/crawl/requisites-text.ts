/** The options of requisites on the command line. */
import { RankwardError } from '../../lib/errors.ts'

/** A message for options that need `--requisites`, on the command line. */
export function checkRequisites(cli: {
  readonly requisites?: boolean | undefined
  readonly requisiteFiles?: number | undefined
  readonly requisiteBytes?: number | undefined
  readonly warc?: boolean | undefined
}): void {
  if (cli.requisites === true && cli.warc === false)
    throw new RankwardError(
      'USAGE',
      '--requisites and --no-warc contradict each other: requisites are fetched for the archive.',
    )
  if (cli.requisites === true) return
  const flag =
    cli.requisiteFiles !== undefined
      ? '--set requisiteFiles'
      : cli.requisiteBytes !== undefined
        ? '--set requisiteBytes'
        : undefined
  if (flag !== undefined) throw new RankwardError('USAGE', `${flag} needs --requisites.`)
}
