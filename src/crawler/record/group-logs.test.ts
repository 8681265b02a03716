import { join } from 'node:path'
import { describe, it } from 'vitest'
import { temporaryFolder } from '../../../test/temporary-folder.ts'
import { groupLogCases } from './group-logs.cases.ts'
import type { GroupLog } from './group-log.ts'
import { MemoryGroups, MemoryLog } from './memory-log.cases.ts'
import { SegmentLog } from './segment-log.ts'

const folder = temporaryFolder()
let folders = 0

/** Each makes a new log; the function it gives claims that log. */
const logs: { log: string; make: () => () => Promise<GroupLog> }[] = [
  {
    log: 'memory',
    make: () => {
      const groups = new MemoryGroups()
      return () => Promise.resolve(new MemoryLog(groups))
    },
  },
  {
    log: 'segments on disk',
    make: () => {
      const path = join(folder, `log-${folders++}`)
      return () => SegmentLog.open(path)
    },
  },
  {
    log: 'many small segments on disk',
    make: () => {
      const path = join(folder, `log-${folders++}`)
      return () => SegmentLog.open(path, { segmentBytes: 1000 })
    },
  },
]

describe.each(logs)('every log: $log', ({ make }) => {
  for (const { guarantee, run } of groupLogCases) it(guarantee, () => run(make()))
})
