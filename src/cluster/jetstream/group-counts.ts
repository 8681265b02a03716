import { GroupBytes } from '../../crawler/record/group.ts'
import { readShardGroup } from '../protocol/shard-group.ts'

/** The counts of the record in a group of a shard; undefined if it is not one of a crawl of the real web. */
export function countsOf(bytes: Uint8Array): object | undefined {
  try {
    return new GroupBytes(readShardGroup(bytes).names).json('counts')
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
