import { describe, expect, it } from 'vitest'
import {
  drawnLatency,
  drawnPageBytes,
  drawnRobotsTxtBytes,
  drawnSpeed,
  networkModel,
} from './network-model.ts'

const keys = [0, 1, 2, 7, 100, 16384, 123456789, 4294967295]
const none = Number.NaN

describe('what is drawn', () => {
  // Worked out apart from this code, from S7 and S32.
  it('is what the definition gives', () => {
    expect(keys.map(drawnPageBytes)).toEqual([7688, 1199, 955, 5273, 5067, 31935, 527, 6014])
    expect(keys.map(drawnLatency)).toEqual([0.263, 0.125, 0.034, 0.145, 0.362, 0.21, 0.208, 0.501])
    expect(keys.map(drawnSpeed)).toEqual([31870, 40041, 28290, 44660, 85006, 147153, 87300, 325760])
    expect(keys.map(drawnRobotsTxtBytes)).toEqual([448, 1069, 1126, 507, 76, 848, 478, 556])
  })

  it('has the medians and limits of its distributions', () => {
    const many = Array.from({ length: 100_001 }, (_, id) => id)
    const sorted = (draw: (id: number) => number): number[] => many.map(draw).toSorted((a, b) => a - b)
    const bytes = sorted(drawnPageBytes)
    expect(bytes[50_000] / 8000).toBeCloseTo(1, 1)
    expect([bytes[0], bytes[100_000]]).toEqual([200, 400_000])
    const latencies = sorted(drawnLatency)
    expect(latencies[50_000]).toBeCloseTo(0.25, 2)
    expect(latencies[100_000]).toBeLessThanOrEqual(30)
    const speeds = sorted(drawnSpeed)
    expect(speeds[50_000] / 80_000).toBeCloseTo(1, 1)
    expect(speeds[0]).toBeGreaterThanOrEqual(500)
  })
})

describe('the network model', () => {
  it('draws by original id and by what stands for a site', () => {
    const model = networkModel({ ids: Uint32Array.of(7, 100), siteKeys: Uint32Array.of(16384) })
    expect([model.pageBytes(0), model.pageBytes(1)]).toEqual([5273, 5067])
    expect([model.latency(0), model.speed(0), model.robotsTxtBytes(0)]).toEqual([0.21, 147153, 848])
  })

  it('takes what is given and draws the rest', () => {
    const model = networkModel({
      siteKeys: Uint32Array.of(0, 1),
      pageBytes: Float64Array.of(none, 5, 0),
      latencies: Float64Array.of(0, none),
      speeds: Float64Array.of(none, 77),
    })
    expect([0, 1, 2].map((node) => model.pageBytes(node))).toEqual([7688, 5, 0])
    expect([0, 1].map((site) => model.latency(site))).toEqual([0, 0.125])
    expect([0, 1].map((site) => model.speed(site))).toEqual([31870, 77])
  })

  it('lets the given share of pages fail and slows the given share of sites', () => {
    const siteKeys = Uint32Array.from({ length: 20_000 }, (_, site) => site)
    const sound = networkModel({ siteKeys })
    const model = networkModel({ siteKeys, failureRate: 0.1, slowRate: 0.2, slowFactor: 4 })
    const failing = siteKeys.filter((node) => model.fails(node)).length
    const slow = siteKeys.filter((site) => model.speed(site) === Math.round(sound.speed(site) / 4)).length
    const same = siteKeys.filter((site) => model.speed(site) === sound.speed(site)).length
    expect(failing / 20_000).toBeCloseTo(0.1, 2)
    expect(slow / 20_000).toBeCloseTo(0.2, 2)
    expect(slow + same).toBe(20_000)
    expect(siteKeys.some((node) => sound.fails(node))).toBe(false)
  })
})
