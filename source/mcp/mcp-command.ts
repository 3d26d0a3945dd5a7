import { join, resolve } from 'node:path';
import { usageError } from '../cli/cli-error.ts';
import { exitCodes } from '../cli/cli-errors.ts';
import type { PlainProps } from '../cli/command.ts';
import { toJsonOutput } from '../cli/json-output.ts';
import { type AgentHost, toHostConfig, toServerName } from '../files/host-config.ts';
import type { McpValues } from '../flags/mcp-flags.ts';
import { expectProject } from '../load/expect-project.ts';
import { loadRegistry } from '../load/load-registry.ts';
import { packageRoot } from '../package-root.ts';
import { nodeBinary, type Terminal } from '../terminal/terminal.ts';
import { toStartError } from './to-start-error.ts';
import { type ToolMeter, toMeterText, toToolMeter } from './tool-meter.ts';

/**
 * `capix mcp`: the project's capabilities as tools, over stdio until stdin ends, or over HTTP until Ctrl-C. Stdout
 * carries the protocol alone; what the project's code prints goes to stderr.
 */
export default async function mcpCommand({
  options,
  terminal,
}: PlainProps<McpValues>): Promise<number | void> {
  const { list, json, budget, printConfig } = options;
  if (json && !list) throw usageError('option --json: it is for --list');
  if (budget !== undefined && !list) throw usageError('option --budget: it is for --list');
  if (printConfig !== undefined)
    return terminal.writeOut(toPrintedConfig(printConfig, options, terminal.workingDirectory()));
  if (list) return writeList(options, terminal);
  const { serveSession } = await import('./serve-session.ts');
  return serveSession(options, terminal);
}

async function writeList(options: McpValues, terminal: Terminal): Promise<number> {
  const { budget } = options;
  const { registry } = await loadRegistry(options, terminal);
  let meter: ToolMeter;
  try {
    meter = toToolMeter(registry.operations, options);
  } catch (error) {
    throw toStartError(error);
  }
  const none =
    registry.operations.length === 0
      ? 'The project has no capability yet.'
      : 'No capability is offered to agents.';
  terminal.writeOut(
    options.json ? toJsonOutput({ ...meter, budget }) : toMeterText(meter, budget, none),
  );
  return budget !== undefined && meter.tokens > budget ? exitCodes.failed : exitCodes.done;
}

/** The configuration by which a host starts this command with the same options. @throws CliError `NoProject` */
function toPrintedConfig(host: AgentHost, options: McpValues, workingDirectory: string): string {
  const { entryFile, name } = expectProject({ ...options, workingDirectory });
  const ownName = options.name === 'capix' ? undefined : options.name;
  const optionValues: Readonly<Record<string, string | readonly string[] | undefined>> = {
    '--config': entryFile,
    '--env-file': options.envFile.map((path) => resolve(workingDirectory, path)),
    '--header': options.header,
    '--context': options.context,
    '--only': options.only,
    '--name': ownName,
    '--api-version': options.apiVersion === '0.1.0' ? undefined : options.apiVersion,
  };
  const words = Object.entries(optionValues).flatMap(([option, values = []]) =>
    [values].flat().flatMap((value) => [option, value]),
  );
  const args = [
    join(packageRoot(), 'dist', 'cli.cjs'),
    'mcp',
    ...words,
    ...(options.readOnly ? ['--read-only'] : []),
  ];
  return toHostConfig(host, { name: toServerName(ownName ?? name), command: nodeBinary, args });
}
