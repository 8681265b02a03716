/**
 * Credentials for a bucket, as all tools for S3 find them: the environment, then the credentials file. They are read when they are
 * needed, and kept nowhere.
 */
import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { RankwardError } from '../../lib/errors.ts'

export interface S3Credentials {
  readonly accessKey: string
  readonly secretKey: string
  readonly sessionToken: string | undefined
}

type Environment = Readonly<Record<string, string | undefined>>

/** Throws BAD_SECRETS if there are none. */
export function s3Credentials(environment: Environment = process.env): S3Credentials {
  const { AWS_ACCESS_KEY_ID: accessKey, AWS_SECRET_ACCESS_KEY: secretKey } = environment
  if (isGiven(accessKey) && isGiven(secretKey)) {
    const { AWS_SESSION_TOKEN: token } = environment
    return { accessKey, secretKey, sessionToken: isGiven(token) ? token : undefined }
  }
  const path = environment['AWS_SHARED_CREDENTIALS_FILE'] ?? join(homedir(), '.aws', 'credentials')
  const profile = environment['AWS_PROFILE'] ?? 'default'
  const fields = profileIn(path, profile)
  const { aws_access_key_id: key, aws_secret_access_key: secret, aws_session_token: token } = fields
  if (isGiven(key) && isGiven(secret)) return { accessKey: key, secretKey: secret, sessionToken: token }
  throw new RankwardError(
    'BAD_SECRETS',
    `No credentials for the archive: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or add the profile ${profile} to ${path}.`,
  )
}

function isGiven(text: string | undefined): text is string {
  return text !== undefined && text !== ''
}

/** The fields of a section of an INI file; none if there is no such file or section. */
function profileIn(path: string, profile: string): Partial<Record<string, string>> {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    return {}
  }
  const fields: Partial<Record<string, string>> = {}
  let section: string | undefined
  for (const line of text.split('\n').map((each) => each.trim())) {
    if (line.startsWith('[')) section = line.replaceAll(/[[\]]/g, '').trim()
    const at = line.indexOf('=')
    if (section !== profile || at < 0 || /^[#;]/.test(line)) continue
    fields[line.slice(0, at).trim()] = line.slice(at + 1).trim()
  }
  return fields
}
