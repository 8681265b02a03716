/**
 * The options of parts, a line each. A part is deleted with its folder and its lines. Those of the archive, of handlers
 * and of the topic stand with the options of all crawls: much else depends on them.
 */
export { sourceOptions } from './sources/options.ts'
export { trapOptions } from './traps/options.ts'
export { topicOptions } from '../options/topic-options.ts'
export { handlerOptions } from '../options/handler-options.ts'
export { requisiteOptions } from './requisites/options.ts'
export { cookieOptions } from './cookies/options.ts'
export { duplicateOptions } from './duplicates/options.ts'
export { archiveOptions } from '../options/archive-options.ts'
export { indexOptions } from './search/options.ts'
