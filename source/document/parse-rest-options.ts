import { toTypeWords } from '../../server-runtime/input/safe-input.ts';
import type { DocsOptions } from '../../server-runtime/openapi/openapi-document.ts';
import { type RestOptions, toRestSettings } from '../../server-runtime/rest/rest-options.ts';

/** The export `restOptions`: the options that a project shares between its server and the tool. */
export interface SharedRestOptions extends Omit<RestOptions, 'docs'> {
  readonly docs?: DocsOptions | undefined;
}

/**
 * Reads the export `restOptions`.
 *
 * @throws TypeError or RangeError that says what is wrong with it
 */
export function parseRestOptions(exported: unknown): SharedRestOptions {
  if (exported === undefined) return {};
  if (typeof exported !== 'object' || exported === null || Array.isArray(exported)) {
    throw new TypeError(
      `the export \`restOptions\` is ${toTypeWords(exported)}, not an object such as { urlCase: 'snake' }.`,
    );
  }
  const { docs, prefix } = toRestSettings(exported, '`restOptions`');
  return { ...exported, docs, prefix };
}
