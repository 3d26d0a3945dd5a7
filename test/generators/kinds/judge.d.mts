export interface Verdict {
  outcome: string;
  note?: string;
}
export function judge(role: string, record: unknown): Verdict;
export function toWorst(verdicts: readonly Verdict[]): Verdict;
