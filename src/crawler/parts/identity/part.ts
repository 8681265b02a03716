/** Identity: requests are signed, so that sites can verify who sends them (Web Bot Auth, docs/guide/identity.md). */
import { RankwardError } from '../../../lib/errors.ts'
import { privateText } from '../../../lib/files/secret-file.ts'
import { keyProblem, readKey, type PrivateKey } from '../../../web/signatures/bot-key.ts'
import { safe } from '../../read/words.ts'
import type { Part } from '../part.ts'
import { identityOptions } from './options.ts'

export const identity: Part = {
  name: 'identity',
  options: identityOptions,

  secrets: ({ sign }): PrivateKey | undefined => (sign === undefined ? undefined : signingKey(sign)),

  client: ({ signatureAgent: agent }, key) =>
    key === undefined || agent === undefined ? {} : { signing: { key: key as PrivateKey, agent } },

  shows: {
    requests: ({ signatureAgent: agent }) => (agent === undefined ? [] : [`signed as ${safe(agent)}`]),
  },
}

/** Throws if it cannot be read, is open to others, or cannot sign now. */
function signingKey(path: string): PrivateKey {
  const text = privateText(path)
  const bad = (why: string): RankwardError =>
    new RankwardError(
      'BAD_SECRETS',
      `${path} cannot sign requests: ${why}. \`rankward bot-key\` makes a key.`,
    )
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
