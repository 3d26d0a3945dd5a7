import { expectKnownOptions } from '../../server-runtime/errors/expect-options.ts';
import type { DocsOptions } from '../../server-runtime/http/docs-options.ts';
import { type RestOptions, restOptionNames } from '../../server-runtime/rest/rest-options.ts';

/** The export `restOptions`: the options that a project shares between its server and the tool. */
export interface SharedRestOptions extends Omit<RestOptions, 'docs'> {
  readonly docs?: DocsOptions | undefined;
}

/**
 * Reads the export `restOptions`.
 *
 * @throws TypeError or RangeError that says what is wrong with it
 */
export function parseRestOptions(exported: unknown = {}): SharedRestOptions {
  if (typeof exported !== 'object' || exported === null || Array.isArray(exported)) {
    const type = exported === null ? 'null' : Array.isArray(exported) ? 'an array' : `a ${typeof exported}`;
    throw new TypeError(`the export \`restOptions\` is ${type}, not an object such as { urlCase: 'snake' }.`);
  }
  const options: RestOptions = exported;
  expectKnownOptions('`restOptions`', options, restOptionNames);
  const settings = Object.entries(options).map(([name, option]) => {
    const settle = restOptionNames[name as keyof RestOptions] as (given: unknown) => unknown;
    return [name, settle(option)] as const;
  });
  const { docs, prefix } = Object.fromEntries(settings) as SharedRestOptions;
  return { ...options, docs, prefix };
}
