/** @throws RangeError that names the option unless it is an integer in the range */
export function expectInteger(
  option: string,
  value: number,
  range: { min: number; max?: number },
): number {
  const { min, max = Number.MAX_SAFE_INTEGER } = range;
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  const expected = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
  throw new RangeError(`${option}: expected an integer ${expected}, got ${toNumberGot(value)}.`);
}

function toNumberGot(value: unknown): string {
  return typeof value === 'string' ? `the string '${value}'` : String(value);
}

/** The longest delay that a timer can hold, milliseconds (24.8 days). */
export const MAX_TIMEOUT_MS = 2_147_483_647;

/** @throws RangeError that names the option unless it is a time that a timer can hold */
export function expectTimeout(timeoutMs: number, option: string): number {
  if (timeoutMs >= 1 && timeoutMs <= MAX_TIMEOUT_MS) return timeoutMs;
  throw new RangeError(
    `${option}: expected milliseconds from 1 to ${MAX_TIMEOUT_MS}, got ${toNumberGot(timeoutMs)}.`,
  );
}

/**
 * The names of the options of `Options`, as a record. An option that is missing in the record, or one that the
 * interface does not declare, is an error of the compiler.
 */
export type OptionNames<Options> = Readonly<Record<keyof Options, unknown>>;

/**
 * `owner` is what takes the options, as its caller writes it: `restTransport({cors})`. `known` has a property for each
 * option. @throws TypeError that names an option that is misspelt, and the nearest that there is
 */
export function expectKnownOptions<Options extends object>(
  owner: string,
  options: Options,
  known: OptionNames<NoInfer<Options>>,
): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    throw new TypeError(`${owner}: expected an object of options, got ${toKind(options)}.`);
  const names = Object.keys(known);
  const wrong = Object.keys(options).find((name) => !names.includes(name));
  if (wrong === undefined) return;
  const nearest = findNearest(wrong, names) ?? names.find((each) => each.startsWith(wrong));
  const hint =
    nearest === undefined ? `Known are ${names.join(', ')}.` : `Did you mean \`${nearest}\`?`;
  throw new TypeError(`${owner} has no option \`${wrong}\`. ${hint}`);
}

/** @throws TypeError for what is not a function; `example` is what to write */
export function expectFunction(owner: string, value: unknown, example: string): void {
  if (typeof value === 'function') return;
  throw new TypeError(`${owner}: expected a function, got ${toKind(value)}. Write ${example}.`);
}

function toKind(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** The candidate that a mistyped text most likely means; undefined when none is near. Letter case counts little. */
export function findNearest(text: string, candidates: Iterable<string>): string | undefined {
  const wanted = text.toLowerCase();
  let most = Math.min(3, Math.max(1, Math.floor(text.length / 3)));
  let nearest: string | undefined;
  for (const candidate of candidates) {
    const edits = countEdits(wanted, candidate.toLowerCase(), most);
    if (edits <= most) [nearest, most] = [candidate, edits - 1];
  }
  return nearest;
}

/** The names of parts (`users.getUser`) that a text may mean, at most three: by all, the last part or the start. */
export function findNearestNames(text: string, names: readonly string[]): readonly string[] {
  const nearest = findNearest(text, names);
  if (nearest !== undefined) return [nearest];
  const toLastPart = (name: string): string => name.slice(name.search(/[^._/]*$/));
  const wanted = toLastPart(text);
  if (wanted.length < 3) return [];
  const part = findNearest(wanted, names.map(toLastPart));
  return names
    .filter((name) => (part === undefined ? name.startsWith(text) : toLastPart(name) === part))
    .slice(0, 3);
}

/** The letters to add, remove, replace, or swap with the next one, to turn one text into the other, up to `most`. */
function countEdits(from: string, to: string, most: number): number {
  if (from === to) return 0;
  if (most <= 0 || Math.abs(from.length - to.length) > most) return Number.POSITIVE_INFINITY;
  let at = 0;
  while (from[at] === to[at]) at++;
  const [a, b] = [from.slice(at), to.slice(at)];
  const rest = (left: number, right: number): number =>
    countEdits(a.slice(left), b.slice(right), most - 1);
  const swapped = a[0] === b[1] && a[1] === b[0] ? rest(2, 2) : Number.POSITIVE_INFINITY;
  return 1 + Math.min(rest(1, 1), rest(1, 0), rest(0, 1), swapped);
}
