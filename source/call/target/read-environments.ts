import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Terminal } from '../../terminal/terminal.ts';
import type { Environments } from './call-target.ts';

/**
 * The environments of a project: `capix.environments` in its package.json, `{"staging": {"url": "https://…", "headers": {"authorization":
 * "Bearer $STAGING_TOKEN"}}}`. `$NAME` and `${NAME}` are variables, so that no secret is in the file. What is not of that shape is passed over.
 */
export async function readEnvironments(
  root: string,
  { environment }: Pick<Terminal, 'environment'>,
): Promise<Environments> {
  const declared = await readDeclared(root);
  const entries = Object.entries(declared).flatMap(([name, value]) => {
    const { url, headers = {} } = isRecord(value) ? value : {};
    if (typeof url !== 'string' || !/^https?:\/\//.test(url)) return [];
    const expanded = Object.entries(isRecord(headers) ? headers : {}).map(([header, text]) => [
      header.toLowerCase(),
      expand(String(text), environment),
    ]);
    const said: Environments[string] = { url: url.replace(/\/+$/, ''), headers: Object.fromEntries(expanded) };
    return [[name, said] as const];
  });
  return Object.fromEntries(entries);
}

async function readDeclared(root: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    const file = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as unknown;
    const capix = isRecord(file) && isRecord(file['capix']) ? file['capix'] : {};
    return isRecord(capix['environments']) ? capix['environments'] : {};
  } catch {
    return {};
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function expand(text: string, variables: Terminal['environment']): string {
  return text.replace(
    /\$(?:\{(\w+)\}|(\w+))/g,
    (_, braced?: string, bare?: string) => variables[braced ?? bare ?? ''] ?? '',
  );
}
