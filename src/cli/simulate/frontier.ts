import type { Command } from 'commander'
import { frontiers, type FrontierName } from '../../engine/frontiers/index.ts'
import { RankwardError } from '../../lib/errors.ts'
import type { SimulateOptions } from '../../simulator/simulator.ts'
import { numberBetween, wholeNumber } from '../options.ts'

export interface FrontierCliOptions {
  readonly frontier?: FrontierName
  readonly frontQueues?: number
  readonly backQueues?: number
  readonly bias?: number
  readonly queues?: number
}

export function withFrontierOptions(command: Command): Command {
  return command
    .option('--frontier <name>', frontiers.map(({ name }) => name).join(', '), 'two-level')
    .option(
      '--front-queues <n>',
      'Mercator: number of front queues (default: 16)',
      wholeNumber({ min: 1, max: 4096 }),
    )
    .option(
      '--back-queues <n>',
      'Mercator: number of back queues (default: three per connection)',
      wholeNumber({ min: 1 }),
    )
    .option(
      '--bias <x>',
      'Mercator: each front queue is 2^x times as likely as the next lower (default: 1)',
      numberBetween(0, 64),
    )
    .option('--queues <n>', 'WebBase: number of queues (default: 500)', wholeNumber({ min: 1 }))
}

const parameters = [
  ['frontQueues', 'mercator'],
  ['backQueues', 'mercator'],
  ['bias', 'mercator'],
  ['queues', 'webbase'],
] as const

export function frontierOptions(
  options: FrontierCliOptions,
): Pick<SimulateOptions, 'frontier' | 'frontQueues' | 'backQueues' | 'bias' | 'queues'> {
  const { frontier, frontQueues, backQueues, bias, queues } = options
  for (const [name, owner] of parameters) {
    if (options[name] !== undefined && frontier !== owner)
      throw new RankwardError(
        'USAGE',
        `${name} (--set) is for the frontier ${owner}: add --frontier ${owner}.`,
      )
  }
  return { frontier, frontQueues, backQueues, bias, queues }
}
