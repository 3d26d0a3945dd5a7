interface Range {
  readonly min: number;
  readonly max?: number;
}

/** Gives the value. @throws RangeError that names the option unless it is an integer in the range */
export function expectInteger(option: string, value: number, { min, max = Number.MAX_SAFE_INTEGER }: Range): number {
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
  const got = typeof value === 'string' ? `the string '${String(value)}'` : String(value);
  throw new RangeError(`${option}: expected an integer ${range}, got ${got}.`);
}

/** Every name of an options object, for {@link expectKnownOptions}; the compiler holds the list to the type. */
export type OptionNames<Options> = Readonly<Record<keyof Options, true>>;

/** `owner` has the options: `restTransport({cors})`. @throws TypeError that names a misspelt one, and the nearest */
export function expectKnownOptions(owner: string, options: object, known: object): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    const got = options === null ? 'null' : Array.isArray(options) ? 'an array' : `a ${typeof options}`;
    throw new TypeError(`${owner}: expected an object of options, got ${got}.`);
  }
  const wrong = Object.keys(options).find((name) => !Object.hasOwn(known, name));
  if (wrong === undefined) return;
  const names = Object.keys(known);
  const nearest = findNearest(wrong, names) ?? names.find((each) => each.startsWith(wrong));
  const hint = nearest === undefined ? `Known are ${names.join(', ')}.` : `Did you mean \`${nearest}\`?`;
  throw new TypeError(`${owner} has no option \`${wrong}\`. ${hint}`);
}

/** The candidate that a mistyped text most likely means; undefined when none is near. Letter case counts little. */
export function findNearest(text: string, candidates: Iterable<string>): string | undefined {
  const wanted = text.toLowerCase();
  let least = Math.max(1, Math.floor(text.length / 3)) + 1;
  let nearest: string | undefined;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - text.length) >= least) continue;
    const distance = editDistance(wanted, candidate.toLowerCase());
    if (distance < least) [nearest, least] = [candidate, distance];
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
  return names.filter((name) => (part === undefined ? name.startsWith(text) : toLastPart(name) === part)).slice(0, 3);
}

/** The letters to add, remove, replace, or swap with the next one, to turn one text into the other. */
function editDistance(from: string, to: string): number {
  let before: readonly number[] = [];
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      const isSwapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      const swapped = isSwapped ? (before[j - 2] ?? 0) + 1 : replaced;
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, replaced, swapped));
    }
    [before, row] = [row, next];
  }
  return row[to.length] ?? 0;
}
