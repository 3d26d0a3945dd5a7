import { readSettings } from '../../load/settings/read-settings.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import type { Environments } from './call-target.ts';

/**
 * The environments in the settings of a project: `{"staging": {"url": "https://…", "headers": {"authorization": "Bearer $STAGING_TOKEN"}}}`.
 * `$NAME` and `${NAME}` are variables, so that no secret is in the file.
 *
 * @throws as `readSettings`
 */
export function readEnvironments(root: string, { environment }: Pick<Terminal, 'environment'>): Environments {
  const entries = Object.entries(readSettings(root).environments).map(([name, { url, headers = {} }]) => {
    const expanded = Object.entries(headers).map(([header, text]) => [header.toLowerCase(), expand(text, environment)]);
    const said: Environments[string] = { url: url.replace(/\/+$/, ''), headers: Object.fromEntries(expanded) };
    return [name, said] as const;
  });
  return Object.fromEntries(entries);
}

function expand(text: string, variables: Terminal['environment']): string {
  return text.replace(
    /\$(?:\{(\w+)\}|(\w+))/g,
    (_, braced?: string, bare?: string) => variables[braced ?? bare ?? ''] ?? '',
  );
}
