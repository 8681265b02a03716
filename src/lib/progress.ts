/**
 * Reports the progress of long operations. `total` is undefined while it is unknown; `note` is a short text
 * about the state, such as a residual. Called often: a callback that draws must throttle itself.
 */
export type Progress = (done: number, total?: number, note?: string) => void

export const silent: Progress = () => {}
