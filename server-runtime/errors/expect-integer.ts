/** Limits of a numeric option. */
export interface OptionRange {
  readonly min: number;
  /** @default Number.MAX_SAFE_INTEGER */
  readonly max?: number;
}

/** @throws RangeError that names the option unless `value` is an integer in the range */
export function expectInteger(
  option: string,
  value: number,
  { min, max = Number.MAX_SAFE_INTEGER }: OptionRange,
): void {
  if (Number.isInteger(value) && value >= min && value <= max) return;
  const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
  const got = typeof value === 'string' ? `the string '${String(value)}'` : String(value);
  throw new RangeError(`${option}: expected an integer ${range}, got ${got}.`);
}
