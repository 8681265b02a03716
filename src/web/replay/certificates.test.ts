import { X509Certificate } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { CertificateAuthority } from './certificates.ts'

const nowMs = Date.UTC(2026, 10, 18)

describe('the authority of a served archive', () => {
  it('is a certificate authority, valid now, and signed by itself', () => {
    const root = new X509Certificate(new CertificateAuthority(nowMs).certificate)
    expect(root.ca).toBe(true)
    expect(root.verify(root.publicKey)).toBe(true)
    expect(Date.parse(root.validFrom)).toBeLessThan(nowMs)
    expect(Date.parse(root.validTo)).toBeGreaterThan(nowMs)
  })

  it.each(['example.org', '127.0.0.1', '::1', '2001:db8::a:b', '1:2:3:4:5:6:7:8'])('signs for %s', (host) => {
    const authority = new CertificateAuthority(nowMs)
    const root = new X509Certificate(authority.certificate)
    const certificate = new X509Certificate(authority.issueFor(host))
    expect(certificate.verify(root.publicKey)).toBe(true)
    expect(certificate.checkIssued(root)).toBe(true)
    const isAddress = /^[\d.]+$|:/.test(host)
    expect(isAddress ? certificate.checkIP(host) : certificate.checkHost(host)).toBe(host)
    expect(certificate.checkHost('other.example')).toBeUndefined()
    expect(certificate.ca).toBe(false)
  })

  it('has dates after 2049', () => {
    const root = new X509Certificate(new CertificateAuthority(Date.UTC(2051, 0, 1)).certificate)
    expect(root.validFrom).toContain('2050')
  })
})
