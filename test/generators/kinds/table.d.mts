export interface Row {
  title: string;
}
export function toRow(program: unknown, records: readonly unknown[], facts: unknown): Row;
export function writeRows(
  page: string,
  rows: readonly Row[],
  run: { day: string; node: string },
): string;
export function findLosses(page: string, rows: readonly Row[]): string[];
export function readRows(page: string): {
  day: string | undefined;
  head: readonly string[];
  rows: ReadonlyMap<string, ReadonlyMap<string, string>>;
  text: string;
};
