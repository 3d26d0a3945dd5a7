import { usageError } from '../../cli/errors/cli-error.ts';
import { type Environment, expandVariables, UnsetVariable } from '../../cli/values/expand-variables.ts';
import { readSettings } from '../../load/settings/read-settings.ts';
import type { RequestHeaders } from '../run/request-headers.ts';
import type { Environments } from './call-target.ts';

/**
 * The environments in the settings of a project: `{"staging": {"url": "https://…", "headers": {"authorization": "Bearer
 * ${STAGING_TOKEN}"}}}`. Their variables are those of the file still: only a call that goes there needs them.
 *
 * @throws as `readSettings`
 */
export function readEnvironments(root: string): Environments {
  const entries = Object.entries(readSettings(root).environments).map(([name, { url, headers = {} }]) => {
    const named = Object.entries(headers).map(([header, text]) => [header.toLowerCase(), text]);
    return [name, { url: url.replace(/\/+$/, ''), headers: Object.fromEntries(named) as RequestHeaders }] as const;
  });
  return Object.fromEntries(entries);
}

/**
 * The headers of an environment with the values of their variables, so that no secret is in the file.
 *
 * @throws CliError `Usage` for one that is not set
 */
export function expandHeaders(name: string, headers: RequestHeaders, variables: Environment): RequestHeaders {
  const entries = Object.entries(headers).map(([header, text]) => {
    const [bare] = /\$[A-Z_][A-Z0-9_]*/.exec(text) ?? [];
    if (bare !== undefined) throw usageError(`environment ${name}, ${header}: write \${${bare.slice(1)}} for ${bare}`);
    try {
      return [header, expandVariables(text, variables)];
    } catch (error) {
      if (!(error instanceof UnsetVariable)) throw error;
      const told = `environment ${name}, ${header}: ${error.message}`;
      throw usageError(told, 'Set it in the shell or in an env file.');
    }
  });
  return Object.fromEntries(entries) as RequestHeaders;
}
