// node bench/real-sites/changes.mjs DIR
//
// Whether main content tells changes of a page from changes of its frame, on the wikis and the blog that prepare.mjs has made in DIR, after
// run.mjs has recorded their pages. All articles are fetched three times: twice without a change, and after every 24th was edited
// and five new ones were published, which the frames of the others show (recent posts, next article). Counts for each rule the edited
// pages that it calls changed, and the others. It changes the sites for good: run it last.
import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { get } from 'node:http'
import { join, resolve } from 'node:path'
import { ContentsReader } from '../../dist/crawler/audit/page-contents.js'
import { ContentReader } from '../../dist/web/content/content-reader.js'
import { SiteTemplates } from '../../dist/web/content/site-template.js'
import { PageTextReader } from '../../dist/web/html/page-text.js'
import { readWarc } from '../../dist/web/warc/index.js'
import { defaultRules } from '../../dist/web/url/canonical-rules.js'
import { backendPort, port, sites } from './sites.mjs'

const [folder] = process.argv.slice(2).map((name) => resolve(name))
const every = 24
const added = 'Comets are small bodies of ice and dust that release gases when they pass close to the Sun.'
const php = (code) =>
  execFileSync('php', ['-d', 'error_reporting=E_ERROR'], {
    input: `<?php ${code}`,
    stdio: ['pipe', 'ignore', 'inherit'],
  })
const literal = (value) =>
  `json_decode(base64_decode('${Buffer.from(JSON.stringify(value)).toString('base64')}'), true)`

/** Edits the articles with these names, and adds five. */
const edit = {
  wordpress(names) {
    const { host } = sites.wordpress
    php(
      `$_SERVER['HTTP_HOST']='${host}:${port}'; $_SERVER['REQUEST_URI']='/'; $_SERVER['SERVER_PROTOCOL']='HTTP/1.1'; $_SERVER['REQUEST_METHOD']='GET';
       require '${join(folder, 'wordpress/wp-load.php')}';
       foreach (${literal(names.map((name) => name.split('/').at(-2)))} as $slug) foreach (get_posts(['name'=>$slug]) as $post)
         wp_update_post(['ID'=>$post->ID,'post_content'=>$post->post_content . '<p>${added}</p>']);
       for ($i = 1; $i <= 5; $i++) wp_insert_post(['post_title'=>"A new post $i",'post_content'=>"<p>Number $i. ${added}</p>",'post_status'=>'publish']);`,
    )
  },
  dokuwiki(names) {
    php(
      `define('NOSESSION', 1); require '${join(folder, 'dokuwiki/inc/init.php')}';
       foreach (${literal(names)} as $id) saveWikiText($id, rawWiki($id) . "\\n\\n${added}\\n", 'edited');
       for ($i = 1; $i <= 5; $i++) saveWikiText("news:article$i", "====== New $i ======\\n\\n${added}\\n", 'new');`,
    )
    execFileSync('chown', ['-R', 'www-data', join(folder, 'dokuwiki/data')])
  },
  mediawiki(names) {
    const write = (title, text) =>
      execFileSync(
        'php',
        ['/usr/share/mediawiki/maintenance/edit.php', '--conf', join(folder, 'LocalSettings.php'), title],
        { input: text, stdio: ['pipe', 'ignore', 'ignore'] },
      )
    for (const name of names)
      write(
        name,
        `${execFileSync('php', ['/usr/share/mediawiki/maintenance/getText.php', '--conf', join(folder, 'LocalSettings.php'), name], { encoding: 'utf8' })}\n\n${added}\n`,
      )
    for (let i = 1; i <= 5; i++) write(`New article ${i}`, added)
    execFileSync('chown', ['-R', 'www-data', join(folder, 'mediawiki-data')])
  },
}

const fetched = (host, path) =>
  new Promise((resolve, reject) => {
    get({ host, port: backendPort, path, agent: false, headers: { host: `${host}:${port}` } }, (response) => {
      const chunks = []
      response.on('data', (chunk) => chunks.push(chunk)).on('error', reject)
      response.on('end', () => resolve(Buffer.concat(chunks)))
    }).on('error', reject)
  })

/** One URL for each article that was recorded. */
function articlesOf(site) {
  const urls = new Map()
  for (const file of readdirSync(join(folder, 'recorded')).filter(
    (name) => name.startsWith(`${site}-`) && name.endsWith('.gz'),
  ))
    for (const record of readWarc(join(folder, 'recorded', file))) {
      const url = record.type === 'response' ? record.targetUri : undefined
      const name = url === undefined ? undefined : sites[site].content(new URL(url))
      if (name !== undefined && record.http().startLine.includes(' 200') && !urls.has(name))
        urls.set(name, url)
    }
  return urls
}

const normal = (text) => text.toLowerCase().replaceAll(/\s+/g, ' ').trim()
const content = new ContentReader()
const texts = new PageTextReader()
const links = new ContentsReader(defaultRules)

/** What each rule compares. `template`: the frame of the site, counted at the first visit. */
function comparedOf(url, bytes, template) {
  const body = { contentType: 'text/html; charset=utf-8', body: bytes, isCoded: false }
  const html = bytes.toString()
  const targets = new Set()
  links.read(url, body, ({ url: target }) => targets.add(target))
  const text = normal(texts.read(body)?.text ?? '')
  content.read(html, url)
  const alone = normal(content.text())
  content.read(html, url, template)
  return {
    bytes: html,
    'text and links (content, the default)': `${text} ${[...targets].toSorted((a, b) => (a < b ? -1 : 1)).join(' ')}`,
    text,
    'main content of the page alone': alone,
    'main content with the frame of the site': normal(content.text()),
  }
}

for (const site of Object.keys(edit)) {
  const { host } = sites[site]
  const urls = articlesOf(site)
  const names = [...urls.keys()]
  const edited = new Set(names.filter((_, i) => i % every === every - 1))
  const visit = async () => {
    const bodies = new Map()
    for (const [name, url] of urls) bodies.set(name, await fetched(host, url.slice(url.indexOf('/', 8))))
    return bodies
  }
  const first = await visit()
  const templates = new SiteTemplates()
  for (const bytes of first.values()) {
    content.readBlocks(bytes.toString())
    templates.add(site, content.scan)
  }
  const template = templates.of(site)
  const second = await visit()
  edit[site]([...edited])
  const third = await visit()
  const counts = new Map()
  for (const name of names) {
    const url = urls.get(name)
    const [a, b, c] = [first, second, third].map((visited) => comparedOf(url, visited.get(name), template))
    for (const rule of Object.keys(a)) {
      const count = counts.get(rule) ?? { again: 0, found: 0, others: 0 }
      count.again += Number(a[rule] !== b[rule])
      if (edited.has(name)) count.found += Number(b[rule] !== c[rule])
      else count.others += Number(b[rule] !== c[rule])
      counts.set(rule, count)
    }
  }
  console.log(`\n${site}: ${names.length} articles, ${edited.size} edited`)
  console.table(
    [...counts].map(([rule, { again, found, others }]) => ({
      compared: rule,
      'changed without an edit anywhere': again,
      'edited and found': found,
      'not edited, called changed': others,
    })),
  )
}
