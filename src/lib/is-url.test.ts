import { expect, it } from 'vitest'
import { isUrl } from './host.ts'

it('a URL with an international host stays one, however often it is read', () => {
  let refused = 0
  for (let i = 0; i < 20_000; i++) if (!isUrl('http://m\u00fcller.example/')) refused++
  for (let i = 0; i < 20_000; i++) if (!isUrl('/x', 'http://m\u00fcller.example/')) refused++
  expect(refused).toBe(0)
  expect(isUrl('http://')).toBe(false)
  expect(isUrl('/x')).toBe(false)
})
