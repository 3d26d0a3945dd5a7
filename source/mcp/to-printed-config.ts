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
  const { envFile, only, tag, header, readOnly, context, apiVersion } = options;
  const each = (option: string, values: readonly string[]): readonly string[] =>
    values.flatMap((value) => [option, value]);
  const args = [
    join(packageRoot(), 'dist', 'cli.cjs'),
    'mcp',
    '--config',
    entryFile,
    ...each(
      '--env-file',
      envFile.map((path) => resolve(workingDirectory, path)),
    ),
    ...each('--header', header),
    ...(context === undefined ? [] : ['--context', context]),
    ...each('--only', only),
    ...each('--tag', tag),
    ...(readOnly ? ['--read-only'] : []),
    ...(options.project ? ['--project'] : []),
    ...(options.name === 'capix' ? [] : ['--name', options.name]),
    ...(apiVersion === '0.1.0' ? [] : ['--api-version', apiVersion]),
  ];
  return toHostConfig(host, {
    name: toServerName(options.name === 'capix' ? name : options.name),
    command: nodeBinary,
    args,
  });
}
