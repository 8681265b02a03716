import { describe, expect, it } from 'vitest'
import { Addresses, isConnectTo, isPublicAddress } from './addresses.ts'

describe('an address', () => {
  it.each(['8.8.8.8', '93.184.216.34', '172.32.0.1', '2606:2800:220:1::1', '2001:4860:4860::8888'])(
    '%s is public',
    (address) => expect(isPublicAddress(address)).toBe(true),
  )

  it.each([
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '127.255.255.255',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '198.18.0.1',
    '203.0.113.5',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '64:ff9b::7f00:1',
    'fe80::1',
    'fc00::1',
    'fd12:3456::1',
    'ff02::1',
    '2001::1',
    '2001:db8::1',
    '2002:7f00:1::',
  ])('%s is not', (address) => expect(isPublicAddress(address)).toBe(false))
})

describe('the address of a site', () => {
  it('is refused where it is private, however it is written, and given where the user allows it', async () => {
    for (const host of ['127.0.0.1', 'localhost', 'a.localhost', '[::1]', '10.0.0.1']) {
      expect(await new Addresses().resolve(host, 80, 0)).toBe('private-address')
    }
    expect(await new Addresses({ allowPrivate: true }).resolve('localhost', 80, 0)).toEqual({
      address: '127.0.0.1',
      port: undefined,
    })
    expect(await new Addresses({ allowPrivate: true }).resolve('[::1]', 80, 0)).toMatchObject({
      address: '::1',
    })
  })

  it('is remembered as long as its name says, and then looked up again', async () => {
    const addresses = new Addresses({ allowPrivate: true })
    expect(addresses.known('127.0.0.1', 80, 1000)).toBeUndefined()
    const place = await addresses.resolve('127.0.0.1', 80, 1000)
    expect(addresses.known('127.0.0.1', 80, 1001)).toBe(place)
    expect(addresses.known('127.0.0.1', 81, 1001)).toBeUndefined()
    expect(addresses.known('127.0.0.1', 80, 1000 + 24 * 3600)).toBeUndefined()
  })

  it('is none if the name does not exist', async () => {
    expect(await new Addresses().resolve('no-such-host.invalid', 80, 0)).toMatch(/^no-(address|answer)$/)
  })

  it('is where the user says that it is', async () => {
    const addresses = new Addresses({
      connectTo: ['example.org:80:127.0.0.2:8080', '[::1]:443::8443', '::127.0.0.3:'],
    })
    expect(await addresses.resolve('example.org', 80, 0)).toEqual({ address: '127.0.0.2', port: 8080 })
    expect(await addresses.resolve('example.org', 443, 0)).toEqual({ address: '127.0.0.3', port: undefined })
    // Only the port was named: the address is still its own, and private.
    expect(await addresses.resolve('[::1]', 443, 0)).toBe('private-address')
  })

  it('is given in the form that curl has', () => {
    for (const good of ['::127.0.0.1:80', 'a:80:b:81', 'a:::', '[::1]:80:[::2]:81']) {
      expect(isConnectTo(good)).toBe(true)
    }
    for (const bad of ['', 'a', 'a:b', 'a:80:b', 'a:x:b:y', 'a:80:b:81:c'])
      expect(isConnectTo(bad)).toBe(false)
  })
})
