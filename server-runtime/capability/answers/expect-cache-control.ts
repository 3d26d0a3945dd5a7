/**
 * The text of a `Cache-Control` header: directives with commas between them.
 *
 * @throws TypeError that names the option
 */
export function expectCacheControl(option: string, value: unknown): string {
  if (typeof value === 'string' && DIRECTIVES.test(value)) return value;
  throw new TypeError(
    `${option}: expected directives such as 'private, max-age=60', got ${typeof value === 'string' ? `'${value}'` : typeof value}.`,
  );
}

const DIRECTIVES = /^[\w-]+(=("[\w-]+(, *[\w-]+)*"|[\w-]+))?(, *[\w-]+(=("[\w-]+(, *[\w-]+)*"|[\w-]+))?)*$/;
