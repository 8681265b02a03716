/**
 * Nothing leaves the browser by itself. A page tries everything that makes a browser send something. With our answers alone nothing is
 * sent; and if interception is left out, nothing is sent because the browser cannot reach any network. Without these flags nearly all of
 * it is sent: otherwise the test would show nothing.
 */
import { createSocket, type Socket } from 'node:dgram'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Browser } from '../src/crawler/parts/render/browser.ts'
import { startChromium } from '../src/crawler/parts/render/chromium.ts'
import { findChromium } from '../src/crawler/parts/render/find-chromium.ts'
import { renderLimits } from '../src/crawler/parts/render/rendering.ts'
import { canaries, canaryPage } from './support/canaries.ts'
import { chromiumNote, withoutChromium } from './support/chromium.ts'

const reached = new Set<string>()
let server: Server
let other: Server
let socket: Socket
let base = ''
let udp = ''

beforeAll(async () => {
  const take = (url = ''): void => void reached.add(url.replace(/^\/|\?.*$/g, ''))
  const make = (): Server =>
    createServer((request, response) => {
      take(request.url)
      response
        .writeHead(200, { 'access-control-allow-origin': '*', 'access-control-allow-methods': '*' })
        .end()
    }).on('upgrade', (request, stream) => {
      take(request.url)
      stream.destroy()
    })
  server = make()
  other = make()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise<void>((resolve) => other.listen(port, '127.0.0.2', resolve))
  base = `http://127.0.0.1:${port}`
  socket = createSocket('udp4', (message) => reached.add(message[0] < 4 ? 'stun' : 'transport'))
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  udp = `127.0.0.1:${socket.address().port}`
})
afterAll(() => {
  server.close()
  other.close()
  socket.close()
})

/** The others need a server that speaks their protocol, or permission. */
const needed = Math.ceil(0.9 * canaries.length)
const options = { path: findChromium() ?? '', hasSandbox: false, heapMegabytes: 256 }

/** Shows the page in a browser that intercepts nothing else, until what it sends has come, or not. */
async function shown(isClosed: boolean, isDone: () => boolean): Promise<void> {
  const { cdp, end } = startChromium({ ...options, isClosed })
  const url = `${base}/page`
  const created = await cdp.send('Target.createTarget', { url: 'about:blank' })
  const attached = await cdp.send('Target.attachToTarget', { targetId: created.targetId, flatten: true })
  const session = String(attached.sessionId)
  cdp.on('Fetch.requestPaused', ({ requestId }) =>
    cdp.post(
      'Fetch.fulfillRequest',
      {
        requestId,
        responseCode: 200,
        responseHeaders: [{ name: 'content-type', value: 'text/html' }],
        body: Buffer.from(canaryPage(base, udp)).toString('base64'),
      },
      session,
    ),
  )
  const seen = { page: false }
  cdp.on('Page.domContentEventFired', () => void (seen.page = true))
  await cdp.send('Page.enable', {}, session)
  await cdp.send('Fetch.enable', { patterns: [{ urlPattern: url }] }, session)
  cdp.post('Page.navigate', { url }, session)
  for (let rounds = 0; rounds < 600 && !(seen.page && isDone()); rounds++)
    await new Promise((resolve) => setTimeout(resolve, 100))
  await end()
}

describe.skipIf(withoutChromium)(`requests of a browser${chromiumNote}`, () => {
  it('without our flags and answers, nearly all canaries arrive', async () => {
    await shown(false, () => reached.size >= needed)
    expect(reached.size).toBeGreaterThanOrEqual(needed)
  })

  it('with our flags, none arrives, although nothing is intercepted', async () => {
    reached.clear()
    let rounds = 0
    // Five seconds after the page was read.
    await shown(true, () => ++rounds > 50)
    expect([...reached]).toEqual([])
  })

  it('with our flags and answers, all that can be seen comes to us, and none arrives', async () => {
    reached.clear()
    const asked = new Set<string>()
    const browser = await Browser.start(options)
    const rendered = await browser!.render(
      {
        url: `${base}/page`,
        headers: [{ name: 'content-type', value: 'text/html' }],
        body: Buffer.from(canaryPage(base, udp)),
        answer({ url }) {
          asked.add(new URL(url).pathname.slice(1))
          return Promise.resolve(undefined)
        },
      },
      renderLimits,
      () => {},
    )
    await browser!.close()
    expect(rendered.outcome).toBe('done')
    expect([...reached]).toEqual([])
    for (const name of [
      'script',
      'stylesheet',
      'frame',
      'fetch',
      'xhr',
      'frame-script',
      'cross-origin-frame',
    ])
      expect(asked).toContain(name)
  })
})
