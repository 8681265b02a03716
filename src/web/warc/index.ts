/** `rankward/warc`: WARC files and their indexes. */
export { readWarc, readWarcAt } from './reader.ts'
export type { WarcRecord } from './warc-record.ts'
export { WarcWriter } from './warc-writer.ts'
export type { Exchange, RecordPlace, Revisited, WarcFileEnd, WarcWriterOptions } from './warc-writer.ts'
export type { HttpMessage } from './http-block.ts'
export type { Truncation } from './record.ts'
export { cdxjLine, indexPathOf, sortedLines, surt, type Capture } from './cdxj.ts'
export { RankwardError, type ErrorCode } from '../../lib/errors.ts'
