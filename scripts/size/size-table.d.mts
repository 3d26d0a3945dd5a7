export interface Limit {
  readonly label: string;
  readonly limit: number | undefined;
}
export declare function readLimits(title: string): readonly Limit[];
export declare function writeRows(
  title: string,
  rows: readonly (readonly (string | number)[])[],
): void;
