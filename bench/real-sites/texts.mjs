// What the sites are filled with: the project's own documents, in sections, and its commits.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

const root = new URL('../..', import.meta.url).pathname
const sectionWordsMin = 60

/** Sections of the documents: a unique title, the group that they belong to, and paragraphs of plain text. */
export function articles() {
  const titles = new Set()
  const found = []
  for (const file of readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .toSorted()) {
    const group = basename(file, '.md')
    for (const section of readFileSync(join(root, 'docs', file), 'utf8')
      .split(/^#{1,4} /m)
      .slice(1)) {
      const [heading, ...lines] = section.split('\n')
      const paragraphs = plain(lines.join('\n').replaceAll(/^```[^]*?^```/gm, ''))
      const title = plain(heading)[0]
        ?.replaceAll(/[^\p{L}\p{N} ]+/gu, ' ')
        .replaceAll(/\s+/g, ' ')
        .trim()
      if (!title || titles.has(title) || paragraphs.join(' ').split(' ').length < sectionWordsMin) continue
      titles.add(title)
      found.push({ title, group, paragraphs })
    }
  }
  return found
}

const plain = (markdown) =>
  markdown
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*_|#<>[\]{}]+/g, ' ')
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.replaceAll(/\s+/g, ' ').trim())
    .filter((paragraph) => paragraph !== '')

/** The first commits of the project: author, date, subject, text. */
export function commits(count) {
  const log = execFileSync('git', ['log', '--reverse', '--format=%H%x1f%at%x1f%s%x1f%b%x1e'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  })
  return log
    .split('\x1e')
    .map((entry) => entry.trim().split('\x1f'))
    .filter((fields) => fields.length >= 3)
    .slice(0, count)
    .map(([id, time, subject, body = '']) => ({ id, time: Number(time), subject, body }))
}

export const repository = root
