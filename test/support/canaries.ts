/** Ways in which a page can make its browser send something: each names itself in the path that it asks for. BASE is the server. */

const html = {
  image: '<img src="BASE/image">',
  srcset: '<img srcset="BASE/srcset 2x">',
  picture: '<picture><source srcset="BASE/picture"><img alt=""></picture>',
  'image-input': '<input type="image" src="BASE/image-input">',
  'body-background': '<table background="BASE/body-background"><tr><td>x</td></tr></table>',
  script: '<script src="BASE/script"></script>',
  module: '<script type="module" src="BASE/module"></script>',
  'module-import': '<script type="module">import "BASE/module-import"</script>',
  'dynamic-import': '<script>import("BASE/dynamic-import").catch(() => {})</script>',
  stylesheet: '<link rel="stylesheet" href="BASE/stylesheet">',
  'css-import': '<style>@import "BASE/css-import";</style>',
  'css-background': '<div style="width:9px;height:9px;background:url(BASE/css-background)"></div>',
  'css-image-set':
    '<div style="width:9px;height:9px;background:image-set(url(BASE/css-image-set) 1x)"></div>',
  'css-list': '<ul style="list-style:url(BASE/css-list)"><li>x</li></ul>',
  'css-border': '<div style="border:9px solid;border-image:url(BASE/css-border) 9">x</div>',
  'css-content': '<style>#cc::before{content:url(BASE/css-content)}</style><p id="cc">x</p>',
  'css-mask': '<div style="width:9px;height:9px;background:red;mask:url(BASE/css-mask)"></div>',
  'css-shape': '<div style="float:left;width:9px;height:9px;shape-outside:url(BASE/css-shape)"></div>',
  'css-font':
    '<style>@font-face{font-family:canary;src:url(BASE/css-font)}</style><p style="font-family:canary">x</p>',
  preload: '<link rel="preload" as="script" href="BASE/preload">',
  modulepreload: '<link rel="modulepreload" href="BASE/modulepreload">',
  prefetch: '<link rel="prefetch" href="BASE/prefetch">',
  icon: '<link rel="icon" href="BASE/icon">',
  manifest: '<link rel="manifest" href="BASE/manifest">',
  frame: '<iframe src="BASE/frame"></iframe>',
  'frame-document': '<iframe srcdoc="<img src=BASE/frame-document>"></iframe>',
  'frame-script': "<iframe srcdoc=\"<script>fetch('BASE/frame-script',{mode:'no-cors'})</script>\"></iframe>",
  'sandboxed-frame': '<iframe sandbox="allow-scripts" srcdoc="<img src=BASE/sandboxed-frame>"></iframe>',
  'data-frame': '<iframe src="data:text/html,<img src=BASE/data-frame>"></iframe>',
  'frame-refresh': '<iframe srcdoc="<meta http-equiv=refresh content=0;url=BASE/frame-refresh>"></iframe>',
  object: '<object data="BASE/object"></object>',
  embed: '<embed src="BASE/embed">',
  video: '<video src="BASE/video" autoplay muted></video>',
  poster: '<video poster="BASE/poster"></video>',
  audio: '<audio src="BASE/audio" autoplay></audio>',
  'svg-image': '<svg width="9" height="9"><image href="BASE/svg-image" width="9" height="9"/></svg>',
  'svg-script': '<svg><script href="BASE/svg-script"></script></svg>',
  'svg-filter':
    '<svg width="9" height="9"><filter id="f"><feImage href="BASE/svg-filter"/></filter><rect width="9" height="9" filter="url(#f)"/></svg>',
  'speculation-prefetch':
    '<script type="speculationrules">{"prefetch":[{"urls":["BASE/speculation-prefetch"],"eagerness":"immediate"}]}</script>',
} as const

const code = {
  fetch: 'fetch("BASE/fetch", { mode: "no-cors" })',
  'fetch-post': 'fetch("BASE/fetch-post", { method: "POST", mode: "no-cors", body: "x" })',
  'fetch-keepalive': 'fetch("BASE/fetch-keepalive", { keepalive: true, mode: "no-cors" })',
  'fetch-put': 'fetch("BASE/fetch-put", { method: "PUT" })',
  xhr: 'var x = new XMLHttpRequest(); x.open("GET", "BASE/xhr"); x.send()',
  'xhr-sync': 'var y = new XMLHttpRequest(); y.open("GET", "BASE/xhr-sync", false); y.send()',
  beacon: 'navigator.sendBeacon("BASE/beacon", "x")',
  'event-source': 'new EventSource("BASE/event-source")',
  websocket: 'new WebSocket("BASE/websocket".replace("http", "ws"))',
  'new-image': 'new Image().src = "BASE/new-image"',
  'new-audio': 'new Audio("BASE/new-audio").load()',
  'font-face': 'new FontFace("c", "url(BASE/font-face)").load()',
  'image-decode': 'var i = new Image(); i.src = "BASE/image-decode"; i.decode()',
  worker: "new Worker(URL.createObjectURL(new Blob([\"fetch('BASE/worker', { mode: 'no-cors' })\"])))",
  'worker-import': 'new Worker(URL.createObjectURL(new Blob(["importScripts(\'BASE/worker-import\')"])))',
  'worker-socket':
    "new Worker(URL.createObjectURL(new Blob([\"new WebSocket('BASE/worker-socket'.replace('http', 'ws'))\"])))",
  'worker-module':
    'new Worker(URL.createObjectURL(new Blob(["import(\'BASE/worker-module\')"])), { type: "module" })',
  'nested-worker':
    'new Worker(URL.createObjectURL(new Blob(["new Worker(URL.createObjectURL(new Blob([\\"fetch(\'BASE/nested-worker\', { mode: \'no-cors\' })\\"])))"])))',
  'shared-worker': "new SharedWorker(\"data:text/javascript,fetch('BASE/shared-worker',{mode:'no-cors'})\")",
  'worker-file': 'new Worker("BASE/worker-file")',
  'shared-worker-file': 'new SharedWorker("BASE/shared-worker-file")',
  'service-worker': 'navigator.serviceWorker.register("BASE/service-worker")',
  'audio-worklet': 'new AudioContext().audioWorklet.addModule("BASE/audio-worklet")',
  'paint-worklet': 'CSS.paintWorklet.addModule("BASE/paint-worklet")',
  'form-get':
    'var f = document.createElement("form"); f.action = "BASE/form-get"; f.target = "fg"; document.body.insertAdjacentHTML("beforeend", "<iframe name=fg></iframe>"); document.body.append(f); f.submit()',
  'form-post':
    'var g = document.createElement("form"); g.action = "BASE/form-post"; g.method = "post"; g.target = "fp"; document.body.insertAdjacentHTML("beforeend", "<iframe name=fp></iframe>"); document.body.append(g); g.submit()',
  ping: 'var a = document.createElement("a"); a.href = "#x"; a.ping = "BASE/ping"; document.body.append(a); a.click()',
  'window-open': 'window.open("BASE/window-open")',
  'document-write':
    'var w = document.createElement("iframe"); document.body.append(w); w.contentDocument.write("<img src=BASE/document-write>")',
  'frame-location':
    'var l = document.createElement("iframe"); document.body.append(l); l.contentWindow.location = "BASE/frame-location"',
  'prefetch-link':
    'document.head.append(Object.assign(document.createElement("link"), { rel: "prefetch", href: "BASE/prefetch-link" }))',
  'style-rule':
    'document.head.append(Object.assign(document.createElement("style"), { textContent: "body{background:url(BASE/style-rule)}" }))',
  'cross-origin-frame':
    'document.body.append(Object.assign(document.createElement("iframe"), { src: "BASE/cross-origin-frame".replace("127.0.0.1", "127.0.0.2") }))',
  stun: 'new RTCPeerConnection({ iceServers: [{ urls: "stun:UDP" }] }).addTransceiver("audio"), (async () => { const p = new RTCPeerConnection({ iceServers: [{ urls: "stun:UDP" }] }); p.createDataChannel("x"); await p.setLocalDescription() })()',
  transport: 'new WebTransport("https://UDP/transport")',
} as const

/** The names of all of them. */
export const canaries: readonly string[] = [...Object.keys(html), ...Object.keys(code)]

/** A page with all of them. `udp`: an address for those that send no TCP. */
export function canaryPage(base: string, udp: string): string {
  const filled = (text: string): string => text.replaceAll('BASE', base).replaceAll('UDP', udp)
  const scripts = Object.values(code).map(
    (each) =>
      `<script>try { Promise.resolve(${asExpression(filled(each))}).catch(() => {}) } catch {}</script>`,
  )
  return `<!doctype html><title>canaries</title>${filled(Object.values(html).join('\n'))}${scripts.join('\n')}`
}

/** Statements become a function that is called. */
function asExpression(text: string): string {
  return /^(?:var|new RTC)/.test(text) ? `(() => { ${text} })()` : text
}
