/**
 * How long work tells how far it is. `total` is undefined while it is not known; `note` is a short word on the state,
 * such as a residual. Called often: a receiver that draws must throttle itself.
 */
export type Progress = (done: number, total?: number, note?: string) => void

export const silent: Progress = () => {}
