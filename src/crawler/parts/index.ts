/** The parts of a crawl, a line each. A part is deleted with its folder and its line. */
export { duplicates } from './duplicates/part.ts'
export { handlers } from './handlers/part.ts'
export { requisites } from './requisites/part.ts'
export { search } from './search/part.ts'
export { sources } from './sources/part.ts'
export { topic } from './topic/part.ts'
export { traps } from './traps/part.ts'
