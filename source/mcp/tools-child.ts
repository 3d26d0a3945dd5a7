import type { McpMethods, Message } from '../../server-runtime/mcp/server-maker.ts';
import { toRegistry } from '../../server-runtime/registry/compile-registry.ts';
import { createServer, internalsOf } from '../../server-runtime/server/create-server.ts';
import { createQueueDouble } from '../../server-runtime/server/job.ts';
import { consoleLogger } from '../../server-runtime/server/logger.ts';
import { parseContext, parseHeaders } from '../cli/caller-values.ts';
import { CliError } from '../cli/cli-error.ts';
import { followCode } from '../load/hooks/follow-code.ts';
import { LoadError, toLoadFailure } from '../load/load-failure.ts';
import { readRegistry } from '../load/read-registry.ts';
import { toCallerContext } from '../load/to-caller-context.ts';
import { stripOutput } from '../patches/strip-output.ts';
import { connectToParent } from '../system/parent-channel.ts';
import { importWithin } from '../system/run-user-code.ts';
import { waitWithin } from '../system/timing.ts';
import { catchUncaught } from '../terminal/end-process.ts';
import { selectOperations } from './select-operations.ts';
import { toStartError } from './to-start-error.ts';
import type {
  HandlerResult,
  LoadTools,
  ToolsAnswer,
  ToolsProtocol,
  ToolsQuestion,
  ToolsReport,
} from './tools-process.ts';

// A process that runs one state of the project's code and answers what clients ask of it. Its file descriptor 1 is
// stderr, so that whatever the code does with its stdout, and what it starts, cannot reach the protocol.

stripOutput();
// The process that started this one says when it ends, also after Ctrl-C, which reaches both.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {});
catchUncaught((error) =>
  consoleLogger.error(
    "[capix] The project's code threw an error that nothing caught; the server goes on.",
    { error },
  ),
);

const running = new Map<number, AbortController>();
/** Streams that were let go of before their end. */
const cleaning = new Set<Promise<void>>();
/** The time that they have to clean up before the process ends, milliseconds: some never do. */
const CLEAN_UP_MS = 500;
let methods: McpMethods | undefined;
let isEnding = false;

const { send } = connectToParent<ToolsProtocol>({
  answers: { load, handle },
  onOrder: (order) => {
    if (order.kind === 'cancel') return running.get(order.id)?.abort();
    isEnding = true;
    endWhenDone();
  },
});
const hooks = followCode((notes) => void send(notes));

async function load(question: LoadTools): Promise<ToolsAnswer> {
  Object.assign(process.env, question.variables);
  try {
    methods = await loadMethods(question);
    const { capabilities, handlers } = methods;
    const lists: Record<string, object> = {};
    // Each is the same for everybody.
    for (const [method, handler] of Object.entries(handlers))
      if (method.endsWith('/list')) lists[method] = await handler({} as never, {} as Message);
    return { kind: 'loaded', offers: { capabilities, lists, methods: Object.keys(handlers) } };
  } catch (thrown) {
    const error = toStartError(thrown);
    const { code, message, hint, frame } =
      error instanceof CliError
        ? error
        : new LoadError(toLoadFailure(error, question.project), error);
    return { kind: 'failed', error: { code, message, hint, frame } };
  } finally {
    hooks.flush();
  }
}

/** Makes an application without a transport: the channel to the parent is all that asks. */
async function loadMethods({ project, options, secret }: LoadTools): Promise<McpMethods> {
  const contextValue = options.context === undefined ? undefined : parseContext(options.context);
  const headers = parseHeaders(options.header, process.env);
  const read = await readRegistry(project, { importFile: importWithin, withFaults: false });
  const context = toCallerContext(read, { headers, contextValue });
  const capabilities = toRegistry(selectOperations(read.registry.operations, options));
  const server = createServer({
    capabilities,
    transports: [createQueueDouble()],
    logger: consoleLogger,
    ...(context && { context }),
  });
  const app = internalsOf(server).appFor(undefined);
  const onLetGo = (cleaned: Promise<void>): void => {
    cleaning.add(cleaned);
    void cleaned.then(() => cleaning.delete(cleaned));
  };
  const { createMethods } = await import('../../server-runtime/mcp/methods.ts');
  return createMethods({ app, secret, hidesRefused: false, isLive: true, onLetGo });
}

async function handle(
  question: ToolsQuestion,
  tell: (note: ToolsReport) => Promise<void>,
): Promise<HandlerResult> {
  const { id, method, params, facts } = question;
  const cancelled = new AbortController();
  running.set(id, cancelled);
  const notify = (...values: readonly unknown[]): Promise<void> => tell(['notify', values]);
  const log = (...values: readonly unknown[]): Promise<void> => tell(['log', values]);
  try {
    // The SDK has parsed the parameters by the method that they are of.
    const result = await methods?.handlers[method]?.(params as never, {
      ...facts,
      signal: cancelled.signal,
      notify,
      log,
    });
    return { kind: 'result', result: result ?? {} };
  } catch (error) {
    const {
      code,
      message = '',
      data,
    } = Object(error) as { readonly code?: unknown; message?: string; data?: unknown };
    return { kind: 'error', code: typeof code === 'number' ? code : INTERNAL_ERROR, message, data };
  } finally {
    running.delete(id);
    setImmediate(endWhenDone);
  }
}

/** The code of JSON-RPC for what is nobody's fault but the server's. */
const INTERNAL_ERROR = -32_603;

function endWhenDone(): void {
  if (isEnding && running.size === 0)
    void waitWithin(CLEAN_UP_MS, Promise.all(cleaning)).then(() => process.exit());
}
