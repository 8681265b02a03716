import { writeFileSync } from 'node:fs'
import { Command } from 'commander'
import { RankwardError } from '../lib/errors.ts'
import { privateText } from '../lib/files/secret-file.ts'
import { isUrl } from '../lib/host.ts'
import { directoryHeaders } from '../web/signatures/signature.ts'
import {
  directoryPath,
  keyDirectory,
  keyProblem,
  makeKey,
  readKey,
  type PrivateKey,
} from '../web/signatures/bot-key.ts'
import { shellWord } from './crawl/words.ts'
import { printJson, withJsonOption, wholeNumber, type JsonOption } from './options.ts'
import { safe } from './terminal.ts'

const daySeconds = 24 * 3600
const directoryType = 'application/http-message-signatures-directory+json'

interface BotKeyOptions extends JsonOption {
  readonly out: string
  readonly days: number
  readonly signatureAgent?: string
}

export function botKeyCommand(): Command {
  const command = new Command('bot-key')
    .description(
      'Make an Ed25519 key that signs the requests of your crawls, and the directory that publishes it',
    )
    .option(
      '--out <file>',
      'the file of the key; an existing key is kept, and its directory is shown',
      'bot.key',
    )
    .option(
      '--days <n>',
      'how long a new key, and the signature of its directory, are valid',
      wholeNumber({ min: 1, max: 3650 }),
      365,
    )
    .option('--signature-agent <url>', 'the https URL of the site that will publish the directory')
    .addHelpText(
      'after',
      `
Sites, and the walls before them, can then verify that requests are yours (Web Bot Auth, RFC 9421). Publish the directory at
SITE${directoryPath}, and register that URL with the networks that ask for it.
Only you may be able to read the key. docs/guide/identity.md has the details.

Examples:
  rankward bot-key --signature-agent https://bot.example.org
  rankward bot-key --out bot.key --json | jq .directory > http-message-signatures-directory
  rankward crawl https://example.org/ --sign bot.key --signature-agent https://bot.example.org`,
    )
    .action(run)
  return withJsonOption(command)
}

function run({ out, days, signatureAgent, json }: BotKeyOptions): void {
  const agent = signatureAgent === undefined ? undefined : agentOf(signatureAgent)
  const now = Math.floor(Date.now() / 1000)
  const key = writtenKey(out, makeKey(now, days * daySeconds))
  const directory = keyDirectory([key])
  const until = Math.min(now + days * daySeconds, key.exp ?? Infinity)
  const headers = agent && directoryHeaders(key, agent.host, now, until)
  if (json === true)
    return printJson({ file: out, kid: key.kid, directory, headers: headers && Object.fromEntries(headers) })
  const site = agent?.origin ?? 'https://YOUR-SITE'
  const lines = [
    `${safe(out)}   the private key ${key.kid}${key.exp === undefined ? '' : `, valid until ${new Date(1000 * key.exp).toISOString().slice(0, 10)}`}: keep it secret`,
    '',
    `Publish at ${site}${directoryPath}`,
    `  content-type: ${directoryType}`,
    ...(headers ?? []).map(([name, value]) => `  ${name.toLowerCase()}: ${value}`),
    '',
    JSON.stringify(directory, null, 2),
    '',
    `Next   rankward crawl URL --sign ${shellWord(out)} --signature-agent ${site}`,
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}

/** The key in the file; the new one if there was none. */
function writtenKey(path: string, made: PrivateKey): PrivateKey {
  try {
    writeFileSync(path, `${JSON.stringify(made, null, 2)}\n`, { flag: 'wx', mode: 0o600 })
    return made
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code !== 'EEXIST')
      throw new RankwardError('FILE_UNWRITABLE', `${path} cannot be written: ${message}`, { cause: error })
  }
  const text = privateText(path)
  const bad = (why: string): RankwardError =>
    new RankwardError('BAD_SECRETS', `${path} exists and cannot sign: ${why}. Give another file, --out FILE.`)
  let key: PrivateKey
  try {
    key = readKey(text)
  } catch (error) {
    throw bad((error as Error).message)
  }
  const problem = keyProblem(key, Date.now() / 1000)
  if (problem !== undefined) throw bad(problem)
  return key
}

function agentOf(text: string): URL {
  const url = isUrl(text) ? new URL(text) : undefined
  if (url?.protocol === 'https:' && url.pathname === '/') return url
  throw new RankwardError(
    'USAGE',
    `"${text}" is not the https URL of a site, without a path, such as https://bot.example.org.`,
  )
}
