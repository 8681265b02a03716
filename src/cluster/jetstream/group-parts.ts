/**
 * A group that is larger than a message of NATS is divided. Its first bytes are in the last message, which has the writer and the
 * number of parts; the rest is in parts directly before it. Parts have no writer, so readers of groups pass over those of a writer
 * that was fenced, killed or had to begin again.
 *
 *   … group · part 1 · part 2 · first bytes (writer, parts: 2) · group …
 */
import type { MsgHdrs } from '@nats-io/transport-node'
import { RankwardError } from '../../lib/errors.ts'

export const partHeader = 'Rankward-Part'
export const partsHeader = 'Rankward-Parts'

/** Room for the headers of a message. */
const headerBytes = 1024

/** `payloadMax` is the largest message of the server. */
export function dividedGroup(
  bytes: Uint8Array,
  payloadMax: number,
): { readonly first: Uint8Array; readonly parts: readonly Uint8Array[] } {
  const most = payloadMax - headerBytes
  const parts: Uint8Array[] = []
  for (let at = most; at < bytes.length; at += most) parts.push(bytes.subarray(at, at + most))
  return { first: bytes.subarray(0, most), parts }
}

export function isPart(head: MsgHdrs | undefined): boolean {
  return (head?.get(partHeader) ?? '') !== ''
}

/** How many parts precede the last message of a group. */
export function partsOf(head: MsgHdrs | undefined): number {
  return Number(head?.get(partsHeader) ?? '')
}

/** The whole group; `parts` are those that precede its last message. BAD_STREAM if there are fewer than `count`. */
export function joinedGroup(
  stream: string,
  sequence: number,
  first: Uint8Array,
  parts: readonly Uint8Array[],
  count: number,
): Uint8Array {
  if (parts.length < count)
    throw new RankwardError(
      'BAD_STREAM',
      `Group ${sequence} of the stream ${stream} lacks ${count - parts.length} of its ${count} parts.`,
    )
  return count === 0 ? first : Buffer.concat([first, ...parts.slice(parts.length - count)])
}
