export interface Difference {
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

export interface Accepted {
  readonly line: string;
  readonly pattern: string;
  readonly sentence: string;
  readonly matches: (difference: Difference) => boolean;
}

export function toDifferences(name: string, before: unknown, after: unknown): readonly Difference[];
export function parseAccepted(text: string): readonly Accepted[];
export function judge(
  differences: readonly Difference[],
  accepted: readonly Accepted[],
): { readonly open: readonly Difference[]; readonly unused: readonly Accepted[] };
