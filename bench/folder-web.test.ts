import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { folderWeb } from './folder-web.ts'

it('a folder of HTML files is a web: its files are pages, its links those that lead to other files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rankward-folder-web-'))
  try {
    const write = (name: string, ...hrefs: string[]): void =>
      writeFileSync(join(folder, name), hrefs.map((href) => `<a href="${href}">x</a>`).join(''))
    mkdirSync(join(folder, 'sub'))
    write('a b.html', 'sub/', 'sub/index.html#part', 'missing.html', 'note.txt', 'a%20b.html')
    write('c.htm', 'alias.html?q=1', 'https://other.example/c.htm', '/sub/../c.htm', '../../etc/passwd')
    write('sub/index.html', '../c.htm', '/a%20b.html')
    write('note.txt', 'c.htm')
    symlinkSync('a b.html', join(folder, 'alias.html'))
    expect(folderWeb(folder)).toEqual({
      urls: [
        'http://docs.example/a%20b.html',
        'http://docs.example/c.htm',
        'http://docs.example/sub/index.html',
      ],
      links: [[2], [0], [0, 1]],
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
})
