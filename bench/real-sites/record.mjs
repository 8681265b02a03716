// node bench/real-sites/record.mjs DIR
//
// Records two small sites completely, for the tests (test/recorded-sites/): listings of Apache, and cgit with a repository of a few
// commits. By hand: it needs root and the packages of prepare.mjs. The text is that of the project's own documents.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { apacheConfig, sites } from './sites.mjs'
import { articles } from './texts.mjs'

const folder = resolve(process.argv[2])
// Beside the sites of prepare.mjs.
const port = 8802
const root = new URL('../..', import.meta.url).pathname
const run = (command, args, options) => execFileSync(command, args, { stdio: 'inherit', ...options })
const fileName = ({ title }) => `${title.toLowerCase().replaceAll(/\W+/g, '-')}.txt`
const texts = articles().map((article) => ({ ...article, paragraphs: article.paragraphs.slice(0, 2) }))

rmSync(folder, { recursive: true, force: true })
for (const [i, article] of texts.slice(0, 96).entries()) {
  const place = join(folder, 'autoindex', `part-${'abcdefghijkl'[i % 12]}`)
  mkdirSync(place, { recursive: true })
  writeFileSync(join(place, fileName(article)), article.paragraphs.join('\n\n'))
}

const work = join(folder, 'work')
mkdirSync(join(work, 'notes'), { recursive: true })
const git = (...args) =>
  run('git', ['-C', work, '-c', 'user.name=Author', '-c', 'user.email=author@example.org', ...args], {
    stdio: 'ignore',
  })
git('init', '-q', '-b', 'main')
for (const [i, article] of texts.slice(96, 105).entries()) {
  const [first, ...rest] = article.paragraphs
  writeFileSync(
    join(work, i % 2 === 0 ? '.' : 'notes', fileName(texts[96 + (i % 4)])),
    [first, ...rest].join('\n\n'),
  )
  git('add', '-A')
  git('commit', '-q', '-m', `${article.title}\n\n${rest.at(-1) ?? first}`)
}
mkdirSync(join(folder, 'git'))
run('git', ['clone', '-q', '--bare', work, join(folder, 'git/rankward.git')])
writeFileSync(join(folder, 'cgitrc'), `virtual-root=/\nscan-path=${join(folder, 'git')}\n`)
writeFileSync(join(folder, 'apache.conf'), apacheConfig(folder, port))
run('chown', ['-R', 'www-data', folder])
run('apache2', ['-f', join(folder, 'apache.conf'), '-k', 'start'])
try {
  for (const site of ['autoindex', 'cgit']) {
    const out = join(folder, `${site}-crawl`)
    const options = `--out ${out} --wait 0 --allow-private --follow-nofollow --no-traps --no-progress --pages 3000 --set warcLevel=9`
    run(
      process.execPath,
      [
        join(root, 'dist/bundle/main.js'),
        'crawl',
        `http://${sites[site].host}:${port}/`,
        ...options.split(' '),
      ],
      { stdio: 'ignore' },
    )
    const files = readdirSync(join(out, 'warc')).filter((name) => name.endsWith('.warc.gz'))
    const recorded = Buffer.concat(files.toSorted().map((name) => readFileSync(join(out, 'warc', name))))
    mkdirSync(join(root, 'test/recorded-sites'), { recursive: true })
    writeFileSync(join(root, 'test/recorded-sites', `${site}.warc.gz`), recorded)
    console.log(site, recorded.length)
  }
} finally {
  run('apache2', ['-f', join(folder, 'apache.conf'), '-k', 'stop'])
}
