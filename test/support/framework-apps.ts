/**
 * Small applications of real frameworks, bundled once: each asks `/api/PATH` for its page and shows text and links. Their pages are empty
 * elements with a script.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { compile } from 'svelte/compiler'

export const frameworks = ['react', 'vue', 'svelte', 'angular-like'] as const
export type Framework = (typeof frameworks)[number]

/** What `/api/PATH` answers. */
export interface AppPage {
  readonly title: string
  readonly text: string
  readonly links: readonly string[]
}

const load = `const load = () => fetch('/api' + location.pathname).then((response) => response.json())`

const sources: Readonly<Record<Framework, string>> = {
  react: `import { createElement as h, useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
${load}
function App() {
  const [page, setPage] = useState()
  useEffect(() => void load().then(setPage), [])
  if (page === undefined) return h('p', null, 'Loading')
  return h('main', null, h('h1', null, page.title), h('p', null, page.text), page.links.map((link) => h('a', { key: link, href: link }, link)))
}
createRoot(document.getElementById('root')).render(h(App))`,
  vue: `import { createApp, h, ref } from '@vue/runtime-dom'
${load}
createApp({
  setup() {
    const page = ref()
    load().then((loaded) => { page.value = loaded })
    return () => page.value === undefined ? h('p', 'Loading') : h('main', [h('h1', page.value.title), h('p', page.value.text), page.value.links.map((link) => h('a', { href: link }, link))])
  },
}).mount('#app')`,
  svelte: `import { mount } from 'svelte'
import App from './app.js'
mount(App, { target: document.getElementById('svelte') })`,
  // As Angular does: a custom element, a zone of promises, and routes by the History API.
  'angular-like': `${load}
class AppRoot extends HTMLElement {
  async connectedCallback() {
    await new Promise((resolve) => requestAnimationFrame(resolve))
    const page = await load()
    this.innerHTML = '<h1></h1><p></p>'
    this.querySelector('h1').textContent = page.title
    this.querySelector('p').textContent = page.text
    for (const link of page.links) {
      const a = document.createElement('a')
      a.setAttribute('routerlink', link)
      a.href = link
      a.textContent = link
      this.append(a)
    }
  }
}
customElements.define('app-root', AppRoot)`,
}

const svelteApp = `<script>
  ${load}
</script>
{#await load()}
  <p>Loading</p>
{:then page}
  <main><h1>{page.title}</h1><p>{page.text}</p>{#each page.links as link}<a href={link}>{link}</a>{/each}</main>
{/await}`

const mounts: Readonly<Record<Framework, string>> = {
  react: '<div id="root"></div>',
  vue: '<div id="app"></div>',
  svelte: '<div id="svelte"></div>',
  'angular-like': '<app-root></app-root>',
}

/** The empty page of an application. */
export function shellOf(framework: Framework): string {
  return `<!doctype html><html><head><meta charset="utf-8"><title>App</title></head><body><noscript>You need to enable JavaScript to run this app.</noscript>${mounts[framework]}<script type="module" src="/assets/${framework}.js"></script></body></html>`
}

/** The scripts, by framework. */
export async function bundledApps(): Promise<Readonly<Record<Framework, string>>> {
  // Inside of the package, from whose folder tests and benchmarks run, so that the frameworks are found.
  const folder = mkdtempSync(join(process.cwd(), 'node_modules', '.rankward-apps-'))
  try {
    const { js } = compile(svelteApp, { generate: 'client', filename: 'App.svelte' })
    writeFileSync(join(folder, 'app.js'), js.code)
    const bundles = frameworks.map(async (framework) => {
      const input = join(folder, `${framework}.js`)
      writeFileSync(input, sources[framework])
      const bundle = await rolldown({
        input,
        platform: 'browser',
        logLevel: 'silent',
        transform: { define: defines },
        resolve: { conditionNames: ['browser', 'production', 'import', 'default'] },
      })
      const { output } = await bundle.generate({ format: 'esm', minify: true, codeSplitting: false })
      await bundle.close()
      return [framework, output[0].code] as const
    })
    return Object.fromEntries(await Promise.all(bundles)) as Record<Framework, string>
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const defines = {
  'process.env.NODE_ENV': '"production"',
  __VUE_OPTIONS_API__: 'false',
  __VUE_PROD_DEVTOOLS__: 'false',
  __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
}
