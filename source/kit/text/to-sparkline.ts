/**
 * Numbers as a row of bars, one a column, each as high as its share of the highest: `▁▁█▂`. `bars`: from the lowest to the highest.
 */
export function toSparkline(values: readonly number[], bars: readonly string[]): string {
  const highest = Math.max(...values, Number.MIN_VALUE);
  return values.map((value) => bars[Math.round((Math.max(0, value) / highest) * (bars.length - 1))] ?? '').join('');
}
