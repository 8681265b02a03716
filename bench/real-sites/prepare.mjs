// node bench/real-sites/prepare.mjs DIR
//
// Makes real sites below DIR: programs of Debian packages, filled with this project's documents and commits, all served by one Apache on
// addresses of the loopback. By hand, not in CI: it needs root, and the packages that `packages` lists.
// sites.mjs has the addresses, and what a reader wants of each site. run.mjs crawls them.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { apacheConfig, backendPort, port, sites } from './sites.mjs'
import { articles, commits, repository } from './texts.mjs'

const packages =
  'apache2 libapache2-mod-php php-sqlite3 php-xml php-mbstring php-intl php-mysql cgit gitweb libcgi-pm-perl dokuwiki mhonarc ' +
  'python3-sphinx mediawiki wordpress wordpress-theme-twentytwentyone mariadb-server git wget2 python3-scrapy mercurial doxygen'

const [folder] = process.argv.slice(2).map((name) => resolve(name))
if (folder === undefined) {
  console.error(`Usage: node bench/real-sites/prepare.mjs DIR
Needs root and these packages:
  DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends ${packages}`)
  process.exit(2)
}
const run = (command, args, options = {}) =>
  execFileSync(command, args, { stdio: ['pipe', 'ignore', 'inherit'], maxBuffer: 1 << 28, ...options })
const php = (code, options) =>
  run('php', ['-d', 'display_errors=stderr', '-d', 'error_reporting=E_ERROR'], {
    input: `<?php ${code}`,
    ...options,
  })
const inFolder = (...names) => join(folder, ...names)
const texts = articles()

/** Which articles an article refers to: the next ones of its group, and one elsewhere. */
const related = (i) => [
  texts[(i + 1) % texts.length],
  texts[(i + 2) % texts.length],
  texts[(7 * i + 3) % texts.length],
]
const nameOf = (title) => title.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '_')
/** Three versions of an article, as if it had been edited. */
const version = ({ paragraphs }, round) =>
  paragraphs.slice(0, Math.max(1, Math.ceil((paragraphs.length * (round + 1)) / 3)))

const prepare = {
  /** A repository with the first commits of this project. */
  repositories() {
    const last = commits(250).at(-1).id
    mkdirSync(inFolder('git'), { recursive: true })
    run('git', ['clone', '-q', '--bare', repository, inFolder('git/rankward.git')])
    run('git', ['-C', inFolder('git/rankward.git'), 'update-ref', 'refs/heads/main', last])
    const git = (...args) =>
      execFileSync('git', ['-C', inFolder('git/rankward.git'), ...args], { encoding: 'utf8' })
    for (const ref of git('for-each-ref', '--format=%(refname)').trim().split('\n'))
      if (ref !== 'refs/heads/main') git('update-ref', '-d', ref)
    git('symbolic-ref', 'HEAD', 'refs/heads/main')
    git('tag', '-m', 'A release', 'v0.1', 'main~20')
    git('gc', '-q', '--prune=now')
    writeFileSync(inFolder('git/rankward.git/description'), 'A web crawler\n')
    writeFileSync(
      inFolder('cgitrc'),
      `css=/static/cgit.css\nlogo=/static/cgit.png\nvirtual-root=/\nsnapshots=tar.gz zip\nenable-blame=1\nenable-commit-graph=1\nenable-log-linecount=1\nscan-path=${inFolder('git')}\n`,
    )
    writeFileSync(
      inFolder('gitweb.conf'),
      `$projectroot = "${inFolder('git')}";\n$feature{'blame'}{'default'} = [1];\n$feature{'snapshot'}{'default'} = ['tgz', 'zip'];\n@diff_opts = ();\n1;\n`,
    )
  },

  /** Files of the project in folders, listed by Apache. */
  autoindex() {
    cpSync(join(repository, 'src'), inFolder('autoindex/src'), { recursive: true })
    cpSync(join(repository, 'docs'), inFolder('autoindex/docs'), { recursive: true })
  },

  /** The same commits in a repository of Mercurial. */
  hgweb() {
    // Git reads repositories of its own user only, and Apache's has that one.
    cpSync(inFolder('git/rankward.git'), inFolder('hg-source'), { recursive: true })
    const convert = '--config extensions.convert= -q convert'.split(' ')
    run('hg', [...convert, inFolder('hg-source'), inFolder('hg')])
    writeFileSync(inFolder('hg/.hg/hgrc'), '[web]\nallow-archive=gz zip\n')
    const serve = `serve --daemon --address ${sites.hgweb.host} --port ${backendPort} --pid-file ${inFolder('hg.pid')}`
    run('hg', ['-R', inFolder('hg'), ...serve.split(' ')])
  },

  /** The documentation of a library of Python, with its sources. */
  doxygen() {
    mkdirSync(inFolder('doxygen'), { recursive: true })
    run('doxygen', ['-'], {
      input: `PROJECT_NAME=Scrapy\nINPUT=/usr/lib/python3/dist-packages/scrapy\nRECURSIVE=YES\nEXTRACT_ALL=YES\nSOURCE_BROWSER=YES\nGENERATE_LATEX=NO\nOPTIMIZE_OUTPUT_JAVA=YES\nQUIET=YES\nWARNINGS=NO\nHAVE_DOT=NO\nOUTPUT_DIRECTORY=${inFolder('doxygen')}\n`,
    })
  },

  dokuwiki() {
    cpSync('/usr/share/dokuwiki', inFolder('dokuwiki'), { recursive: true, dereference: true })
    for (const name of ['conf', 'data']) rmSync(inFolder('dokuwiki', name), { recursive: true, force: true })
    cpSync('/etc/dokuwiki', inFolder('dokuwiki/conf'), { recursive: true, dereference: true })
    for (const name of [
      'pages',
      'attic',
      'media',
      'media_attic',
      'media_meta',
      'meta',
      'cache',
      'index',
      'locks',
      'tmp',
      'log',
    ])
      mkdirSync(inFolder('dokuwiki/data', name), { recursive: true })
    rmSync(inFolder('dokuwiki/inc/preload.php'), { force: true })
    writeFileSync(
      inFolder('dokuwiki/conf/local.php'),
      "<?php $conf['title']='A wiki'; $conf['useacl']=0; $conf['savedir']='./data'; $conf['disableactions']='register,resendpwd';\n",
    )
    const pages = texts.map((text, i) => ({
      id: `${text.group}:${nameOf(text.title)}`,
      rounds: [0, 1, 2].map(
        (round) =>
          `====== ${text.title} ======\n\n${version(text, round).join('\n\n')}\n\n` +
          related(i)
            .map(({ group, title }) => `  * [[${group}:${nameOf(title)}|${title}]]\n`)
            .join(''),
      ),
    }))
    const groups = [...new Set(texts.map(({ group }) => group))]
    const start = groups
      .map(
        (group) =>
          `===== ${group} =====\n${texts
            .filter((text) => text.group === group)
            .map(({ title }) => `  * [[${group}:${nameOf(title)}|${title}]]\n`)
            .join('')}`,
      )
      .join('\n')
    writeFileSync(
      inFolder('dokuwiki.json'),
      JSON.stringify([{ id: 'start', rounds: [`====== Start ======\n\n${start}`] }, ...pages]),
    )
    php(
      `define('NOSESSION', 1); require '${inFolder('dokuwiki/inc/init.php')}';
       $pages = json_decode(file_get_contents('${inFolder('dokuwiki.json')}'), true);
       for ($round = 0; $round < 3; $round++) { foreach ($pages as $page)
         if (isset($page['rounds'][$round])) saveWikiText($page['id'], $page['rounds'][$round], 'edit ' . $round); sleep(1); }`,
    )
  },

  mhonarc() {
    const list = commits(400)
    const mails = list.map(({ id, time, subject, body }, i) => {
      const area = subject.split(':')[0]
      const before = list.slice(0, i).findLast((other) => other.subject.split(':')[0] === area)
      const isReply = before !== undefined && i % 4 !== 0
      return `From list@example.org ${new Date(1000 * time).toUTCString()}
From: Author ${i % 12} <author${i % 12}@example.org>
Date: ${new Date(1000 * time).toUTCString()}
Message-ID: <${id}@example.org>
${isReply ? `In-Reply-To: <${before.id}@example.org>\n` : ''}Subject: ${isReply ? `Re: ${before.subject}` : subject}

${subject}

${body.replaceAll(/^From /gm, '>From ')}
`
    })
    writeFileSync(inFolder('list.mbox'), mails.join('\n'))
    mkdirSync(inFolder('mhonarc'), { recursive: true })
    run('mhonarc', [
      '-quiet',
      '-multipg',
      '-idxsize',
      '50',
      '-outdir',
      inFolder('mhonarc'),
      inFolder('list.mbox'),
    ])
    for (const name of ['threads.html', 'maillist.html'])
      if (existsSync(inFolder('mhonarc', name)) && !existsSync(inFolder('mhonarc/index.html')))
        cpSync(inFolder('mhonarc', name), inFolder('mhonarc/index.html'))
  },

  sphinx() {
    const source = inFolder('sphinx-source')
    mkdirSync(source, { recursive: true })
    writeFileSync(join(source, 'conf.py'), "project = 'Rankward'\nhtml_theme = 'alabaster'\n")
    const groups = [...new Set(texts.map(({ group }) => group))]
    const title = (text) => `${text}\n${'='.repeat(2 * text.length)}\n\n`
    const tree = (names) => `.. toctree::\n   :maxdepth: 1\n\n${names.map((name) => `   ${name}\n`).join('')}`
    writeFileSync(
      join(source, 'index.rst'),
      title('Rankward') + tree(groups.map((group) => `${group}/index`)),
    )
    for (const group of groups) {
      const own = texts.filter((text) => text.group === group)
      mkdirSync(join(source, group), { recursive: true })
      writeFileSync(
        join(source, group, 'index.rst'),
        title(group) + tree(own.map((text) => nameOf(text.title))),
      )
      for (const text of own)
        writeFileSync(
          join(source, group, `${nameOf(text.title)}.rst`),
          title(text.title) +
            text.paragraphs.map((paragraph) => paragraph.replaceAll('\\', ' ')).join('\n\n'),
        )
    }
    run('sphinx-build', ['-q', '-b', 'html', source, inFolder('sphinx')], { stdio: 'ignore' })
  },

  mediawiki() {
    mkdirSync(inFolder('mediawiki-data'), { recursive: true })
    const { host } = sites.mediawiki
    const maintenance = '/usr/share/mediawiki/maintenance'
    run('php', [
      join(maintenance, 'install.php'),
      ...`--dbtype sqlite --dbname wiki --dbpath ${inFolder('mediawiki-data')} --confpath ${folder} --pass Correct.Horse.9 --scriptpath`.split(
        ' ',
      ),
      '',
      '--server',
      `http://${host}:${port}`,
      'Wiki',
      'Admin',
    ])
    const xml = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
    const page = (title, rounds) =>
      `<page><title>${xml(title)}</title><ns>${title.startsWith('Category:') ? 14 : 0}</ns>${rounds
        .map(
          (text, round) =>
            `<revision><timestamp>2026-0${round + 1}-01T00:00:00Z</timestamp><contributor><username>Author${title.length % 9}</username><id>0</id></contributor><comment>edit ${round}</comment><model>wikitext</model><format>text/x-wiki</format><text xml:space="preserve">${xml(text)}</text></revision>`,
        )
        .join('')}</page>`
    const groups = [...new Set(texts.map(({ group }) => group))]
    const main = groups.map((group) => `* [[:Category:${group}]]\n`).join('')
    const pages = texts.map((text, i) =>
      page(
        text.title,
        [0, 1, 2].map(
          (round) =>
            `${version(text, round).join('\n\n')}\n\n${related(i)
              .map(({ title }) => `* [[${title}]]\n`)
              .join('')}\n[[Category:${text.group}]]`,
        ),
      ),
    )
    const categories = groups.map((group) => page(`Category:${group}`, [`Everything on ${group}.`]))
    writeFileSync(
      inFolder('mediawiki.xml'),
      `<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11" xml:lang="en">${pages.join('')}${categories.join('')}</mediawiki>`,
    )
    const env = { ...process.env, MW_CONFIG_FILE: inFolder('LocalSettings.php') }
    const maintain = (script, args, options) =>
      run('php', [join(maintenance, script), ...args], { env, ...options })
    maintain('importDump.php', ['--username-prefix=', '--quiet', inFolder('mediawiki.xml')])
    maintain('edit.php', ['Main Page'], { input: main })
    maintain('rebuildrecentchanges.php', [])
    maintain('runJobs.php', ['--maxjobs', '2000'])
  },

  async wordpress() {
    const data = inFolder('mariadb')
    mkdirSync(data, { recursive: true })
    run('chown', ['mysql', data])
    run('mariadb-install-db', [
      '--user=mysql',
      `--datadir=${data}`,
      '--auth-root-authentication-method=normal',
    ])
    const socket = join(data, 'socket')
    await startDatabase()
    run('mariadb', [
      '-S',
      socket,
      '-e',
      "create database wp; create user wp@localhost identified by 'wp'; grant all on wp.* to wp@localhost",
    ])
    cpSync('/usr/share/wordpress', inFolder('wordpress'), { recursive: true, dereference: true })
    writeFileSync(
      inFolder('wordpress/wp-config.php'),
      `<?php define('DB_NAME','wp');define('DB_USER','wp');define('DB_PASSWORD','wp');define('DB_HOST','localhost:${socket}');define('DB_CHARSET','utf8mb4');define('DB_COLLATE','');
       define('WP_HTTP_BLOCK_EXTERNAL',true);define('DISABLE_WP_CRON',true);$table_prefix='wp_';
       if (!defined('ABSPATH')) define('ABSPATH', __DIR__ . '/'); require_once ABSPATH . 'wp-settings.php';`,
    )
    writeFileSync(
      inFolder('wordpress.json'),
      JSON.stringify(
        texts.map(({ title, group, paragraphs }, i) => ({
          title,
          group,
          text: paragraphs.map((text) => `<p>${text}</p>`).join('\n'),
          days: i,
        })),
      ),
    )
    const { host } = sites.wordpress
    php(
      `$_SERVER['HTTP_HOST']='${host}:${port}'; $_SERVER['REQUEST_URI']='/'; $_SERVER['SERVER_PROTOCOL']='HTTP/1.1'; $_SERVER['REQUEST_METHOD']='GET';
       define('WP_INSTALLING', true); define('WP_SITEURL','http://${host}:${port}');
       require '${inFolder('wordpress/wp-load.php')}'; require_once ABSPATH . 'wp-admin/includes/upgrade.php';
       wp_install('A blog', 'admin', 'admin@example.org', true, '', 'Correct.Horse.9');
       update_option('permalink_structure', '/%year%/%monthnum%/%postname%/'); update_option('home','http://${host}:${port}');
       foreach (json_decode(file_get_contents('${inFolder('wordpress.json')}'), true) as $i => $post) {
         $category = wp_create_category($post['group']);
         $id = wp_insert_post(['post_title'=>$post['title'],'post_content'=>$post['text'],'post_status'=>'publish','post_category'=>[$category],
           'tags_input'=>array_slice(explode(' ', strtolower($post['title'])),0,3),'post_date'=>date('Y-m-d H:i:s', strtotime('2024-01-01') + 86400*$post['days'])]);
         for ($c = 0; $c < $i % 4; $c++) wp_insert_comment(['comment_post_ID'=>$id,'comment_author'=>"Reader $c",'comment_content'=>"A remark on $post[title], number $c",'comment_approved'=>1]);
       }
       switch_theme('twentytwentyone'); $GLOBALS['wp_rewrite']->init(); flush_rewrite_rules(true);`,
    )
    writeFileSync(
      inFolder('wordpress/.htaccess'),
      'RewriteEngine On\nRewriteBase /\nRewriteRule ^index\\.php$ - [L]\nRewriteCond %{REQUEST_FILENAME} !-f\nRewriteCond %{REQUEST_FILENAME} !-d\nRewriteRule . /index.php [L]\n',
    )
  },
}

/** The database of the blog; it ends with this script's process group. */
async function startDatabase() {
  const data = inFolder('mariadb')
  const socket = join(data, 'socket')
  spawn(
    'mariadbd',
    [
      `--datadir=${data}`,
      `--socket=${socket}`,
      '--skip-networking',
      '--user=mysql',
      `--pid-file=${join(data, 'pid')}`,
    ],
    {
      stdio: 'ignore',
      detached: true,
    },
  ).unref()
  for (let tries = 0; tries < 100; tries++) {
    if (spawnSync('mariadb', ['-S', socket, '-e', 'select 1'], { stdio: 'ignore' }).status === 0) return
    await pause(200)
  }
  throw new Error('mariadbd does not start')
}

mkdirSync(folder, { recursive: true })
const only = process.argv.slice(3)
for (const [name, make] of Object.entries(prepare)) {
  if (only.length > 0 && !only.includes(name)) continue
  const begin = Date.now()
  try {
    await make()
    console.log(`${name}: ${((Date.now() - begin) / 1000).toFixed(1)} s`)
  } catch (error) {
    console.log(`${name}: failed: ${error.message.split('\n')[0]}`)
  }
}
const names = readdirSync(folder)
if (names.includes('mariadb') && !existsSync(inFolder('mariadb/socket'))) await startDatabase()
writeFileSync(inFolder('apache.conf'), apacheConfig(folder))
run('chown', ['-R', 'www-data', ...names.filter((name) => name !== 'mariadb').map((name) => inFolder(name))])
spawnSync(
  'apache2',
  ['-f', inFolder('apache.conf'), '-k', existsSync(inFolder('apache.pid')) ? 'graceful' : 'start'],
  { stdio: 'inherit' },
)
console.log(
  `Served; apache2 -f ${inFolder('apache.conf')} -k stop ends it, and so does kill $(cat ${inFolder('mariadb/pid')}) for the database.`,
)
