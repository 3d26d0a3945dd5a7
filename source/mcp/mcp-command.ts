import { usageError } from '../cli/cli-error.ts';
import { exitCodes } from '../cli/cli-errors.ts';
import type { PlainProps } from '../cli/command.ts';
import { toJsonOutput } from '../cli/json-output.ts';
import type { AgentHost } from '../files/host-config.ts';
import { loadRegistry } from '../load/load-registry.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { ToolSelection } from './select-operations.ts';
import { toStartError } from './to-start-error.ts';
import { type ToolMeter, toMeterText, toToolMeter } from './tool-meter.ts';

export interface McpCommandOptions extends ToolSelection {
  readonly config?: string | undefined;
  readonly envFile: readonly string[];
  readonly json: boolean;
  readonly port?: number | undefined;
  readonly name: string;
  readonly apiVersion: string;
  /** `name: value` */
  readonly header: readonly string[];
  /** JSON. */
  readonly context?: string | undefined;
  readonly list: boolean;
  /** The tokens that the list of tools may take. */
  readonly budget?: number | undefined;
  readonly printConfig?: AgentHost | undefined;
}

/**
 * `capix mcp`: the project's capabilities as tools, over stdio until stdin ends, or over HTTP until Ctrl-C. Stdout
 * carries the protocol alone; what the project's code prints goes to stderr.
 */
export default async function mcpCommand({ options, terminal }: PlainProps<McpCommandOptions>): Promise<number | void> {
  const { list, json, budget, printConfig } = options;
  if (json && !list) throw usageError('option --json: it is for --list');
  if (budget !== undefined && !list) throw usageError('option --budget: it is for --list');
  if (printConfig !== undefined) {
    const { toPrintedConfig } = await import('./to-printed-config.ts');
    return terminal.writeOut(toPrintedConfig(printConfig, options, terminal.workingDirectory()));
  }
  if (list) return writeList(options, terminal);
  const { serveSession } = await import('./serve-session.ts');
  return serveSession(options, terminal);
}

/** Fails where the tools take more than they may. */
async function writeList(options: McpCommandOptions, terminal: Terminal): Promise<number> {
  const { budget } = options;
  const { registry } = await loadRegistry({ ...options, workingDirectory: terminal.workingDirectory() });
  let meter: ToolMeter;
  try {
    meter = toToolMeter(registry.operations, options);
  } catch (error) {
    throw toStartError(error);
  }
  const none = registry.operations.length === 0 ? 'The project has no capability yet.' : undefined;
  terminal.writeOut(options.json ? toJsonOutput({ ...meter, budget }) : toMeterText(meter, { budget, none }));
  return budget !== undefined && meter.tokens > budget ? exitCodes.failed : exitCodes.done;
}
