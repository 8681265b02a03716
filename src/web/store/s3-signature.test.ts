import { describe, expect, it } from 'vitest'
import { signedHeaders, type S3Request } from './s3-signature.ts'

// The examples of "Signature Calculations for the Authorization Header" in the Amazon S3 API Reference.
const credentials = {
  accessKey: 'AKIAIOSFODNN7EXAMPLE',
  secretKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  sessionToken: undefined,
}
const signing = { credentials, region: 'us-east-1', nowMs: Date.UTC(2013, 4, 24) }
const request: S3Request = {
  method: 'GET',
  host: 'examplebucket.s3.amazonaws.com',
  path: '/',
  query: {},
  headers: {},
  body: new Uint8Array(0),
}

describe('the signature of a request to S3', () => {
  it.each<[string, Partial<S3Request>, string]>([
    [
      'a range of an object',
      { path: '/test.txt', headers: { range: 'bytes=0-9' } },
      'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
    ],
    [
      'an object that is stored',
      {
        method: 'PUT',
        path: '/test$file.text',
        headers: { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
        body: Buffer.from('Welcome to Amazon S3.'),
      },
      '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
    ],
    [
      'a parameter without a value',
      { query: { lifecycle: '' } },
      'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
    ],
    [
      'several parameters',
      { query: { prefix: 'J', 'max-keys': '2' } },
      '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
    ],
  ])('is that of the published example: %s', (_, given, signature) => {
    const { authorization } = signedHeaders({ ...request, ...given }, signing)
    expect(authorization).toContain(`Signature=${signature}`)
    expect(authorization).toContain('Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request')
  })

  it('covers the token of a session', () => {
    const { authorization, ...headers } = signedHeaders(request, {
      ...signing,
      credentials: { ...credentials, sessionToken: 'a token' },
    })
    expect(headers).toMatchObject({ 'x-amz-security-token': 'a token' })
    expect(authorization).toContain('x-amz-date;x-amz-security-token')
  })
})
