/**
 * Where files of an archive are: a folder, or a bucket of an S3-compatible store.
 *
 *   /mnt/archive/news
 *   s3://bucket/news
 *   s3://bucket/news?endpoint=https://minio.example:9000&region=eu-west-1
 *
 * The address of a file in such a place has the same form, so it can stand wherever a path can.
 */
import { join, resolve } from 'node:path'
import { RankwardError } from '../../lib/errors.ts'

/** An address in a bucket. */
export interface BucketAddress {
  readonly bucket: string
  /** Without slashes at its ends; may be empty. */
  readonly key: string
  /** Undefined: that of Amazon in the region. */
  readonly endpoint: URL | undefined
  readonly region: string | undefined
}

/** Whether a path is an address in a bucket. */
export function isBucket(path: string): boolean {
  return path.startsWith('s3:')
}

/** Throws USAGE. */
export function bucketAddress(text: string): BucketAddress {
  const refused = (why: string): RankwardError =>
    new RankwardError(
      'USAGE',
      `${JSON.stringify(text)} is not the address of a bucket: ${why}. Expected s3://BUCKET/PREFIX, and for another store than Amazon's ?endpoint=https://HOST.`,
    )
  const parts = /^s3:\/\/([^/?#]+)(?:\/([^?#]*))?(?:\?([^#]*))?$/.exec(text)
  if (parts === null) throw refused('it has another form')
  const [, bucket, path = '', query = ''] = parts
  if (!/^[a-z\d][a-z\d.-]{1,61}[a-z\d]$/.test(bucket))
    throw refused('names of buckets have 3 to 63 small letters, digits, dots and dashes')
  const settings = new URLSearchParams(query)
  const unknown = [...settings.keys()].find((name) => name !== 'endpoint' && name !== 'region')
  if (unknown !== undefined) throw refused(`${unknown} is unknown; there are endpoint and region`)
  const key = path.split('/').filter((part) => part !== '')
  if (key.some((part) => part === '.' || part === '..')) throw refused('its prefix has a dot as a part')
  const endpoint = settings.get('endpoint')
  const url = endpoint === null ? undefined : endpointUrl(endpoint)
  if (endpoint !== null && url === undefined)
    throw refused(`the endpoint ${JSON.stringify(endpoint)} is not an http or https URL without a password`)
  return { bucket, key: key.join('/'), endpoint: url, region: settings.get('region') ?? undefined }
}

function endpointUrl(text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  const isPlain = url.username === '' && url.password === '' && url.search === '' && url.hash === ''
  return /^https?:$/.test(url.protocol) && isPlain ? url : undefined
}

function bucketText({ bucket, key, endpoint, region }: BucketAddress): string {
  const settings = [
    ...(endpoint === undefined ? [] : [`endpoint=${endpoint.href.replace(/\/$/, '')}`]),
    ...(region === undefined ? [] : [`region=${region}`]),
  ]
  return `s3://${bucket}/${key}${settings.length === 0 ? '' : `?${settings.join('&')}`}`
}

type Environment = Readonly<Record<string, string | undefined>>

/**
 * The place as a crawl records it: with endpoint and region of the environment, unless it names them, so that it means the same on other
 * machines; a folder as its full path.
 */
export function recordedPlace(text: string, environment: Environment = process.env): string {
  if (!isBucket(text)) return resolve(text)
  const address = bucketAddress(text)
  const given = environment['AWS_ENDPOINT_URL_S3'] ?? environment['AWS_ENDPOINT_URL']
  const region = address.region ?? environment['AWS_REGION'] ?? environment['AWS_DEFAULT_REGION']
  const plain = bucketText({ ...address, region, endpoint: undefined })
  if (address.endpoint !== undefined || given === undefined || given === '')
    return bucketText({ ...address, region })
  // Parsed again, so that a bad endpoint of the environment is refused like one that is given.
  return bucketText(bucketAddress(`${plain}${plain.includes('?') ? '&' : '?'}endpoint=${given}`))
}

/** The address of a file in a place. */
export function fileAt(place: string, name: string): string {
  if (!isBucket(place)) return join(place, name)
  const address = bucketAddress(place)
  return bucketText({ ...address, key: address.key === '' ? name : `${address.key}/${name}` })
}

/** A place for people: without endpoint and region. */
export function shownPlace(place: string): string {
  return isBucket(place) ? place.replace(/\?.*$/, '') : place
}
