import { expect, it } from 'vitest'
import { builtPage } from './static-files.ts'

it('the page is that of the build, also for sources, and wherever the package is installed', () => {
  const folderOf = (path: string): string => builtPage(`file:///usr/src/app/${path}`)
  expect(folderOf('dist/bundle/dashboard.js')).toBe('/usr/src/app/dist/view/dashboard/page')
  expect(folderOf('dist/view/dashboard/static-files.js')).toBe('/usr/src/app/dist/view/dashboard/page')
  expect(folderOf('src/view/dashboard/static-files.ts')).toBe('/usr/src/app/dist/view/dashboard/page')
})
