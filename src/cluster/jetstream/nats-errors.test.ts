import { JetStreamApiError } from '@nats-io/jetstream'
import { errors } from '@nats-io/transport-node'
import { expect, it } from 'vitest'
import { RankwardError } from '../../lib/errors.ts'
import { isTransient, natsFailure } from './nats-errors.ts'

it('a failure that passes when a leader is elected says so, and is no fault of the servers', () => {
  const description = 'JetStream system temporarily unavailable'
  const unavailable = new JetStreamApiError({ code: 503, err_code: 10_008, description })
  for (const error of [unavailable, new errors.TimeoutError()])
    expect(natsFailure(error)).toMatchObject({
      code: 'NATS_UNREACHABLE',
      message: expect.stringMatching(/a majority/),
    })
  const other = new JetStreamApiError({ code: 400, err_code: 10_052, description: 'invalid name' })
  expect(natsFailure(other)).toMatchObject({ code: 'NATS_UNSUITABLE' })
})

it('a consumer that was lost with its server is transient, and a refusal is not', async () => {
  // As the client makes it of the response 503 to a request of a consumer.
  const { JetStreamStatusError } = await import('@nats-io/jetstream/internal')
  expect(isTransient(new JetStreamStatusError('no responders', 503))).toBe(true)
  expect(natsFailure(new JetStreamStatusError('no responders', 503))).toMatchObject({
    code: 'NATS_UNREACHABLE',
    message: expect.stringMatching(/did not respond for 30 seconds/),
  })
  expect(isTransient(new errors.PermissionViolationError('x', 'publish', 'y'))).toBe(false)
  expect(isTransient(new RankwardError('NATS_UNREACHABLE', 'x', { cause: new errors.TimeoutError() }))).toBe(
    false,
  )
})

it('too few servers for the replicas are named as the cause', () => {
  const description = 'no suitable peers for placement'
  const error = new JetStreamApiError({ code: 400, err_code: 10_005, description })
  expect(natsFailure(error)).toMatchObject({
    code: 'NATS_UNSUITABLE',
    message: expect.stringMatching(/than --replicas/),
  })
})
