import { join, resolve } from 'node:path';
import { type AgentHost, toHostConfig, toServerName } from '../files/host-config.ts';
import { expectProject } from '../load/expect-project.ts';
import { packageRoot } from '../package-root.ts';
import { nodeBinary } from '../terminal/terminal.ts';
import type { McpCommandOptions } from './mcp-command.ts';

/**
 * The configuration by which a host starts this command with the same options, from any folder.
 *
 * @throws CliError `NoProject`
 */
export function toPrintedConfig(host: AgentHost, options: McpCommandOptions, workingDirectory: string): string {
  const { entryFile, name } = expectProject({ ...options, workingDirectory });
  const ownName = options.name === 'capix' ? undefined : options.name;
  const given: Readonly<Record<string, string | readonly string[] | undefined>> = {
    '--config': entryFile,
    '--env-file': options.envFile.map((path) => resolve(workingDirectory, path)),
    '--header': options.header,
    '--context': options.context,
    '--only': options.only,
    '--name': ownName,
    '--api-version': options.apiVersion === '0.1.0' ? undefined : options.apiVersion,
  };
  const words = Object.entries(given).flatMap(([option, values = []]) =>
    [values].flat().flatMap((value) => [option, value]),
  );
  const args = [join(packageRoot(), 'dist', 'cli.cjs'), 'mcp', ...words, ...(options.readOnly ? ['--read-only'] : [])];
  return toHostConfig(host, { name: toServerName(ownName ?? name), command: nodeBinary, args });
}
