import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../package-root.ts';

/**
 * Reads a text of `templates/` and puts `values` in place of its `{{name}}` marks. Throws where a mark has no value.
 */
export async function readTemplate(
  path: string,
  values: Readonly<Record<string, string>>,
): Promise<string> {
  return renderTemplate(await readFile(join(packageRoot(), 'templates', path), 'utf8'), values);
}

/** `renderTemplate('# {{name}}', {name: 'shop'})` is `'# shop'`. */
export function renderTemplate(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{\{(\w+)\}\}/g, (mark, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`The template has no value for ${mark}.`);
    return value;
  });
}
