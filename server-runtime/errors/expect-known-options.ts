import { findNearest } from './find-nearest.ts';

/** Every name of an options object, for {@link expectKnownOptions}; the compiler holds the list to the type. */
export type OptionNames<Options> = Readonly<Record<keyof Options, true>>;

/**
 * A misspelt option would be passed over without a word, and its default would count: TypeScript finds it in a literal
 * only.
 *
 * @param owner whose options they are, as in `restTransport({cors})`
 * @throws TypeError that names the option, and the nearest one that there is
 */
export function expectKnownOptions(owner: string, options: object, known: Readonly<Record<string, true>>): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    const got = options === null ? 'null' : Array.isArray(options) ? 'an array' : `a ${typeof options}`;
    throw new TypeError(`${owner}: expected an object of options, got ${got}.`);
  }
  for (const name of Object.keys(options)) {
    if (!Object.hasOwn(known, name)) throw new TypeError(`${owner} has no option \`${name}\`. ${toHint(name, known)}`);
  }
}

function toHint(name: string, known: Readonly<Record<string, true>>): string {
  const names = Object.keys(known);
  const nearest = findNearest(name, names) ?? names.find((each) => each.startsWith(name));
  return nearest === undefined ? `Known are ${names.join(', ')}.` : `Did you mean \`${nearest}\`?`;
}
