/** The parts of a crawl, a line each. A part is deleted with its folder and its line. */
export { archive } from './archive/part.ts'
export { cookies } from './cookies/part.ts'
export { duplicates } from './duplicates/part.ts'
export { proxies } from './proxies/part.ts'
export { requisites } from './requisites/part.ts'
export { search } from './search/part.ts'
export { sources } from './sources/part.ts'
export { traps } from './traps/part.ts'
