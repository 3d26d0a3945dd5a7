import { compileRegistry } from '../../server-runtime/registry/compile-registry.ts';
import { usageError } from '../cli/cli-error.ts';
import { exitCodes } from '../cli/cli-errors.ts';
import type { PlainProps } from '../cli/command.ts';
import { toJsonOutput } from '../cli/json-output.ts';
import type { AgentHost } from '../files/host-config.ts';
import { expectProject } from '../load/expect-project.ts';
import { loadRegistry } from '../load/load-registry.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { serveTools, toStartError } from './serve-tools.ts';
import { toMeterText, toToolMeter } from './tool-meter.ts';

export interface McpCommandOptions {
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
  readonly only: readonly string[];
  readonly tag: readonly string[];
  readonly readOnly: boolean;
  /** Whether the tools are those of the project itself: its commands. */
  readonly project: boolean;
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
  if (options.project) return serveTools(await loadProjectTools(options, terminal), options, terminal);
  const { serveSession } = await import('./serve-session.ts');
  return serveSession(options, terminal);
}

/** Fails where the tools take more than they may. */
async function writeList(options: McpCommandOptions, terminal: Terminal): Promise<number> {
  const { budget } = options;
  const workingDirectory = terminal.workingDirectory();
  const { operations } = options.project
    ? await loadProjectTools(options, terminal)
    : (await loadRegistry({ ...options, workingDirectory })).registry;
  const meter = expectTools(() => toToolMeter(operations, options));
  const told = { budget, hasCapabilities: operations.length > 0 };
  terminal.writeOut(options.json ? toJsonOutput({ ...meter, budget }) : toMeterText(meter, told));
  return budget !== undefined && meter.tokens > budget ? exitCodes.failed : exitCodes.done;
}

/** @throws CliError `InvalidTools` for tools that a server would not start with */
function expectTools<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    throw toStartError(error, undefined);
  }
}

/** The commands of the tool as tools, for an agent that works on the project. */
async function loadProjectTools(options: McpCommandOptions, terminal: Terminal) {
  const { toProjectTools } = await import('./to-project-tools.ts');
  return compileRegistry(toProjectTools(expectProject({ ...options, workingDirectory: terminal.workingDirectory() })));
}
