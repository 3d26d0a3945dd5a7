export interface Interval {
  readonly ratio: number;
  readonly low: number;
  readonly high: number;
}

export function toInterval(
  ours: readonly { readonly cpuUs: number }[],
  theirs: readonly { readonly cpuUs: number }[],
  roundsPerProcess: number,
  random?: () => number,
): Interval;
