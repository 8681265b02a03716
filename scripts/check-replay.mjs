// Crawls a local site with --requisites, replays the archive with pywb to Chromium, and compares screenshots with the live page. Also
// replays the WACZ export, an archive deduplicated against another, and, as a control, an archive without requisites. Not part of
// `npm test`: it installs pywb and wacz into a temporary folder, and is skipped with a message if that is not possible.
//
//   npm run check:replay -- [--python DIR] [--keep]   an existing virtual environment with both; keep files and screenshots
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { createServer as createSocket } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { text } from 'node:stream/consumers'
import pixelmatch from 'pixelmatch'
import { chromium } from 'playwright-core'
import { PNG } from 'pngjs'

const packages = ['pywb==2.10.0', 'wacz==0.6.0']
/** The share of pixels that may differ: text is drawn by the same browser, so none should. */
const differenceMax = 0.001
const viewport = { width: 900, height: 700 }
const program = join(import.meta.dirname, '..', 'dist', 'bundle', 'main.js')
const folder = mkdtempSync(join(tmpdir(), 'rankward-replay-'))
const keepsFolder = process.argv.includes('--keep')
const closing = []

try {
  const skipped = await check()
  console.log(skipped === undefined ? 'replay check passed' : `replay check skipped: ${skipped}`)
} catch (error) {
  console.error(`replay check failed: ${error.message}`)
  process.exitCode = 1
} finally {
  for (const close of closing.toReversed()) await close()
  if (keepsFolder) console.log(`kept: ${folder}`)
  else rmSync(folder, { recursive: true, force: true })
}

async function check() {
  const executablePath = inPath('chromium')
  if (executablePath === undefined) return 'chromium is not installed'
  const given = process.argv.indexOf('--python')
  const python = given < 0 ? join(folder, 'python') : process.argv[given + 1]
  const problem = given < 0 ? installPython(python) : undefined
  if (problem !== undefined) return problem
  if (!existsSync(program)) throw new Error('dist/ is missing: npm run build')
  const site = await serve()
  const seed = `http://127.0.0.1:${site.port}/`
  await crawl(seed, 'full', '--requisites')
  await crawl(seed, 'bare')
  writeFileSync(
    join(folder, 'full.cdxj'),
    indexes('full')
      .map((path) => readFileSync(path, 'utf8'))
      .join(''),
  )
  await crawl(seed, 'again', '--requisites', '--set', `dedupAgainst=${join(folder, 'full.cdxj')}`)
  const wacz = join(folder, 'full.wacz')
  await run(process.execPath, [program, 'export', join(folder, 'full'), '--to', wacz])
  const validation = await run(join(python, 'bin', 'wacz'), ['validate', '-f', wacz])
  console.log(`py-wacz: ${validation.trim().split('\n').at(-1)}`)

  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  closing.push(() => browser.close())
  const live = await screenshots(browser, (path) => new URL(path, seed).href)
  await site.close()

  const replay = await startPywb(python, {
    full: warcs('full'),
    bare: warcs('bare'),
    dedup: [...warcs('full'), ...warcs('again')],
    wacz: ['--unpack-wacz', wacz],
  })
  const later = lastDate('again')
  const differences = {}
  for (const [name, collection, date] of [
    ['WARC files', 'full', '2'],
    ['WACZ file', 'wacz', '2'],
    ['deduplicated archive', 'dedup', later],
    ['without requisites (control)', 'bare', '2'],
  ]) {
    const replayed = await screenshots(
      browser,
      (path) => `${replay}/${collection}/${date}mp_/${new URL(path, seed).href}`,
    )
    differences[name] = replayed.map((image, i) => difference(live[i], image, `${collection}-${i}`))
    console.log(`${name}: ${differences[name].map(percent).join(', ')} of the pixels differ`)
  }
  const { 'without requisites (control)': control, ...others } = differences
  for (const [name, shares] of Object.entries(others)) {
    if (shares.some((share) => share > differenceMax))
      throw new Error(`the replay of the ${name} does not look like the live page`)
  }
  if (control.some((share) => share < 0.05))
    throw new Error('the control looks like the live page: nothing is tested')
  if (site.requestsAfterEnd() > 0) throw new Error('the replay requested the live site')
  return undefined
}

/** A site of two hosts whose look depends on every kind of requisite. */
async function serve() {
  const picture = (red, green, blue, size) => {
    const png = new PNG({ width: size, height: size })
    for (let i = 0; i < size * size; i++) {
      const isDark = ((i % size) >> 4) + (Math.floor(i / size) >> 4)
      png.data.set(
        [red, green, blue, 255].map((value, at) => (at < 3 && isDark % 2 ? value >> 1 : value)),
        4 * i,
      )
    }
    return PNG.sync.write(png)
  }
  const font = [
    '/usr/share/fonts/truetype/dejavu/DejaVuSerif-Bold.ttf',
    '/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf',
  ].find(existsSync)
  const page = (
    title,
    more,
  ) => `<!doctype html><html lang=en><head><meta charset=utf-8><title>${title}</title><base href="/files/">
    <link rel=stylesheet href=main.css><style>@import url("extra.css"); aside { background: url(tile.png) }</style></head>
    <body><h1>${title}</h1><p class=font>Text in a font of its own.</p>
    <picture><source srcset="small.png 1x, large.png 2x"><img src=never.png width=120 height=120 alt=picture></picture>
    <img src="http://127.0.0.2:PORT/far.png" width=120 height=120 alt=far>
    <div style="background:url('inline.png');width:300px;height:60px"></div><aside></aside><div class=nested></div>
    <svg width=100 height=40><image href="vector.png" width=100 height=40 /></svg>
    <p id=script>no script</p><script src=script.js></script>${more}</body></html>`
  const css = (text) => ['text/css', text]
  const png = (...colour) => ['image/png', picture(...colour)]
  const files = {
    '/robots.txt': ['text/plain', ''],
    '/': ['text/html', page('Home', '<a href="/second">second</a>')],
    '/second': ['text/html', page('Second', '<a href="/">home</a>')],
    '/files/main.css': css(`@import "nested/nested.css";
      @font-face { font-family: own; src: url(font.ttf) }
      body { background: #fde; margin: 30px; font: 18px sans-serif } .font { font-family: own, sans-serif }
      aside { width: 300px; height: 60px; margin-top: 10px }`),
    '/files/extra.css': css('h1 { color: #063; border-bottom: 6px solid #063 }'),
    '/files/nested/nested.css': css('.nested { height: 50px; background: url("../nested.png") }'),
    '/files/script.js': [
      'text/javascript',
      'document.getElementById("script").textContent = "The script has run."',
    ],
    '/files/font.ttf': ['font/ttf', font === undefined ? '' : readFileSync(font)],
    '/files/small.png': png(200, 40, 40, 120),
    '/files/large.png': png(40, 200, 40, 240),
    '/files/tile.png': png(40, 40, 200, 40),
    '/files/inline.png': png(200, 200, 40, 64),
    '/files/nested.png': png(40, 200, 200, 64),
    '/files/vector.png': png(200, 40, 200, 64),
    '/far.png': png(90, 90, 90, 120),
  }
  let isClosed = false
  let late = 0
  const answer = (request, response) => {
    if (isClosed) late++
    const [type, body] = files[request.url] ?? [undefined, '']
    response.writeHead(type === undefined ? 404 : 200, { 'content-type': type ?? 'text/plain' })
    response.end(typeof body === 'string' ? body.replaceAll('PORT', String(port)) : body)
  }
  const near = createServer(answer)
  const port = await new Promise((resolve) => near.listen(0, '127.0.0.1', () => resolve(near.address().port)))
  const far = createServer(answer)
  await new Promise((resolve) => far.listen(port, '127.0.0.2', resolve))
  const close = async () => {
    isClosed = true
  }
  closing.push(() => {
    for (const server of [near, far]) {
      server.close()
      server.closeAllConnections()
    }
  })
  // It stays open, so that requests of the replay to the live site are noticed.
  return { port, close, requestsAfterEnd: () => late }
}

async function crawl(seed, name, ...more) {
  const args = [
    'crawl',
    seed,
    '--out',
    join(folder, name),
    '--allow-private',
    '--wait',
    '0',
    '--no-progress',
    '--json',
  ]
  const { pages, requisites } = JSON.parse(await run(process.execPath, [program, ...args, ...more]))
  console.log(`crawl ${name}: ${pages} pages, ${requisites?.fetched ?? 0} requisites`)
}

function warcs(name) {
  const warc = join(folder, name, 'warc')
  return readdirSync(warc)
    .filter((file) => file.endsWith('.warc.gz'))
    .map((file) => join(warc, file))
}

function indexes(name) {
  const warc = join(folder, name, 'warc')
  return readdirSync(warc)
    .filter((file) => file.endsWith('.cdxj'))
    .map((file) => join(warc, file))
}

/** The time of the last capture, as in a replay URL. */
function lastDate(name) {
  const lines = indexes(name).flatMap((path) => readFileSync(path, 'utf8').trim().split('\n'))
  return lines
    .map((line) => line.split(' ')[1])
    .toSorted()
    .at(-1)
}

async function screenshots(browser, urlOf) {
  const images = []
  for (const [path, deviceScaleFactor] of [
    ['/', 1],
    ['/', 2],
    ['/second', 1],
  ]) {
    const tab = await browser.newPage({ viewport, deviceScaleFactor })
    await tab.goto(urlOf(path), { waitUntil: 'networkidle' })
    await tab.evaluate(() => document.fonts.ready)
    images.push(PNG.sync.read(await tab.screenshot()))
    await tab.close()
  }
  return images
}

function difference(one, other, name) {
  const { width, height } = one
  const shown = new PNG({ width, height })
  const pixels = pixelmatch(one.data, other.data, shown.data, width, height, { threshold: 0.1 })
  if (keepsFolder) writeFileSync(join(folder, `${name}.png`), PNG.sync.write(other))
  return pixels / (width * height)
}

async function startPywb(python, collections) {
  const home = join(folder, 'pywb')
  mkdirSync(home)
  // The page alone, without a frame and the banner of pywb.
  writeFileSync(join(home, 'config.yaml'), 'framed_replay: false\n')
  for (const [name, files] of Object.entries(collections)) {
    await run(join(python, 'bin', 'wb-manager'), ['init', name], { cwd: home })
    const [first, ...rest] = files
    const args = first.startsWith('--') ? [first, name, ...rest] : [name, ...files]
    await run(join(python, 'bin', 'wb-manager'), ['add', ...args], { cwd: home })
  }
  const port = await freePort()
  const child = spawn(join(python, 'bin', 'wayback'), ['-b', '127.0.0.1', '-p', String(port)], {
    cwd: home,
    stdio: 'ignore',
  })
  closing.push(() => child.kill('SIGKILL'))
  const url = `http://127.0.0.1:${port}`
  for (let tries = 0; tries < 300; tries++) {
    const response = await fetch(url).catch(() => undefined)
    if (response !== undefined) return url
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  throw new Error('pywb did not start')
}

function freePort() {
  return new Promise((resolve) => {
    const socket = createSocket().listen(0, '127.0.0.1', () => {
      const { port } = socket.address()
      socket.close(() => resolve(port))
    })
  })
}

/** Why pywb cannot be used; undefined if it can. */
function installPython(python) {
  if (inPath('python3') === undefined) return 'python3 is not installed'
  const made = spawnSync('python3', ['-m', 'venv', python], { encoding: 'utf8' })
  if (made.status !== 0) return 'python3 has no module venv'
  const pip = join(python, 'bin', 'pip')
  const installed = spawnSync(
    pip,
    ['install', '--quiet', '--disable-pip-version-check', '--retries', '1', ...packages],
    { encoding: 'utf8' },
  )
  return installed.status === 0
    ? undefined
    : `${packages.join(' and ')} could not be installed from Python's registry`
}

function inPath(name) {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return folders.map((path) => join(path, name)).find((path) => existsSync(path))
}

/** Not synchronous: the site is served by this process. */
async function run(command, args, { cwd } = {}) {
  const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  const status = child.exitCode ?? (await once(child, 'exit'))[0]
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr}`)
  return stdout
}

function percent(share) {
  return `${(100 * share).toFixed(3)}%`
}
