import { describe, expect, it } from 'vitest'
import { bucketAddress, fileAt, recordedPlace, shownPlace } from './store-address.ts'
import { s3Credentials } from './s3-credentials.ts'

describe('the address of a bucket', () => {
  it.each([
    ['s3://bucket', 'bucket', '', undefined],
    ['s3://bucket/a//b/', 'bucket', 'a/b', undefined],
    ['s3://my.bucket-1/x?endpoint=http://127.0.0.1:9000', 'my.bucket-1', 'x', 'http://127.0.0.1:9000/'],
  ])('%s is read', (text, bucket, key, endpoint) => {
    const address = bucketAddress(text)
    expect(address).toMatchObject({ bucket, key })
    expect(address.endpoint?.href).toBe(endpoint)
  })

  it.each([
    ['s3:/bucket', /another form/],
    ['s3://Bucket/a', /small letters/],
    ['s3://bucket/../b', /a dot as a part/],
    ['s3://bucket/a?secret=x', /secret is unknown/],
    ['s3://bucket/a?endpoint=ftp://x', /is not an http or https URL/],
    ['s3://bucket/a?endpoint=https://user:password@x', /without a password/],
  ])('%s is refused', (text, why) => {
    expect(() => bucketAddress(text)).toThrow(why)
  })

  it('is recorded with what the environment says', () => {
    const environment = { AWS_ENDPOINT_URL: 'http://store:9000', AWS_REGION: 'eu-1' }
    const recorded = recordedPlace('s3://bucket/a', environment)
    expect(recorded).toBe('s3://bucket/a?endpoint=http://store:9000&region=eu-1')
    expect(recordedPlace(recorded, {})).toBe(recorded)
    expect(recordedPlace('s3://bucket/a?endpoint=http://other', environment)).toContain('http://other')
    expect(() => recordedPlace('s3://bucket/a', { AWS_ENDPOINT_URL: 'store' })).toThrow(/endpoint/)
    expect(fileAt(recorded, 'x.warc')).toBe('s3://bucket/a/x.warc?endpoint=http://store:9000&region=eu-1')
    expect(shownPlace(recorded)).toBe('s3://bucket/a')
  })
})

describe('credentials', () => {
  it('come from the environment; without any, the message says what to do', () => {
    const environment = { AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret' }
    expect(s3Credentials(environment)).toMatchObject({ accessKey: 'key', secretKey: 'secret' })
    const none = { AWS_SHARED_CREDENTIALS_FILE: '/nowhere', AWS_PROFILE: 'crawler' }
    expect(() => s3Credentials(none)).toThrow(/set AWS_ACCESS_KEY_ID .* or add the profile crawler/)
  })
})
