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

export function compareWith(plan: {
  readonly ref: string;
  readonly path: string;
  readonly scenarios: readonly object[];
  readonly servers: readonly object[];
  readonly node: string;
  readonly processes: number;
  readonly rounds: number;
  readonly requestsPerRound: number;
  readonly warmUp: number;
}): Promise<readonly ({ readonly scenario: string } & Interval)[]>;
