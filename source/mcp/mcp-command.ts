import { MissingPackageError } from '../../server-runtime/errors/load-package.ts';
import { mcpTransport } from '../../server-runtime/mcp/mcp-transport.ts';
import { toTools } from '../../server-runtime/mcp/tools.ts';
import { claimStdout } from '../../server-runtime/patches/claim-stdout.ts';
import { toRegistry } from '../../server-runtime/registry/compile-registry.ts';
import { createServer } from '../../server-runtime/server/create-server.ts';
import { consoleLogger } from '../../server-runtime/server/log/logger.ts';
import type { PlainProps } from '../cli/command.ts';
import { createCliError, usageError } from '../cli/errors/cli-error.ts';
import { toJsonOutput } from '../cli/json-output.ts';
import { parseContext } from '../cli/values/parse-context.ts';
import { parseHeaders } from '../cli/values/parse-headers.ts';
import type { AgentHost } from '../files/host-config.ts';
import { loadRegistry } from '../load/load-registry.ts';
import { toCallerContext } from '../load/to-caller-context.ts';
import type { LoadedRegistry } from '../manifest/loaded-registry.ts';
import { catchUncaught } from '../terminal/catch-uncaught.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { selectOperations } from './select-operations.ts';
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
  readonly list: boolean;
  readonly printConfig?: AgentHost | undefined;
}

/**
 * `capix mcp`: the project's capabilities as tools, over stdio until stdin ends, or over HTTP until Ctrl-C. Stdout carries the protocol
 * alone; what the project's code prints goes to stderr.
 */
export default async function mcpCommand({ options, terminal }: PlainProps<McpCommandOptions>): Promise<void> {
  const { list, json, printConfig } = options;
  if (json && !list) throw usageError('option --json: it is for --list');
  if (printConfig !== undefined) {
    const { toPrintedConfig } = await import('./to-printed-config.ts');
    return terminal.writeOut(toPrintedConfig(printConfig, options, terminal.workingDirectory()));
  }
  if (list) return writeList(options, terminal);
  return serve(options, terminal);
}

async function writeList(options: McpCommandOptions, terminal: Terminal): Promise<void> {
  const { registry } = await loadSelected(options, terminal);
  const meter = toToolMeter(toStartTools(() => toTools(registry.operations)).values());
  terminal.writeOut(options.json ? toJsonOutput(meter) : toMeterText(meter));
}

async function loadSelected(options: McpCommandOptions, terminal: Terminal): Promise<LoadedRegistry> {
  const loaded = await loadRegistry({ ...options, workingDirectory: terminal.workingDirectory() });
  return { ...loaded, registry: toRegistry(selectOperations(loaded.registry.operations, options)) };
}

async function serve(options: McpCommandOptions, terminal: Terminal): Promise<void> {
  const { port, name, apiVersion: version } = options;
  const output = claimStdout();
  const given = options.context === undefined ? undefined : parseContext(options.context);
  const loaded = await loadSelected(options, terminal);
  const context = toCallerContext(loaded, { headers: parseHeaders(options.header, terminal.environment), given });
  let onClose = (): void => {};
  const over = new Promise<void>((resolve) => {
    onClose = resolve;
    terminal.interruptSignal().addEventListener('abort', () => resolve(), { once: true });
  });
  const transport = mcpTransport({
    name,
    version,
    ...(port === undefined ? { stdio: { output, onClose } } : { port }),
  });
  const server = createServer({
    capabilities: loaded.registry,
    transports: [transport],
    logger: consoleLogger,
    ...(context && { context }),
  });
  await server.start().catch((error: unknown) => {
    throw toStartError(error, port);
  });
  if (port === undefined && terminal.isInteractive) terminal.writeError(humanHint);
  // A fault of one call that nobody awaits must not end what other calls wait for.
  const stopCatching = catchUncaught((error) =>
    consoleLogger.error("[capix] The project's code threw where nothing catches it; the server goes on.", { error }),
  );
  await over;
  await server.stop();
  stopCatching();
}

const humanHint =
  'Speaking MCP over stdin and stdout, for an agent to start. Ctrl-C ends it; `capix mcp --port 3001` serves over HTTP, `capix mcp --print-config claude` tells how an agent starts it.\n';

/** @throws CliError `InvalidTools` */
function toStartTools<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    throw toStartError(error, undefined);
  }
}

function toStartError(error: unknown, port: number | undefined): unknown {
  if (!(error instanceof Error)) return error;
  if (error instanceof MissingPackageError) {
    const words = { name: error.packages.join(' '), purpose: 'which capix speaks MCP through' };
    return createCliError('MissingPackage', words, { cause: error });
  }
  if (port !== undefined && (error as NodeJS.ErrnoException).code === 'EADDRINUSE')
    return createCliError('PortTaken', { port, owner: '' }, { cause: error });
  return error instanceof TypeError
    ? createCliError('InvalidTools', { reason: error.message }, { cause: error })
    : error;
}
