import type { ServerContext } from '@modelcontextprotocol/server';
import type { ContextBuilder } from '../../server-runtime/capability/context.ts';
import { Closing } from '../../server-runtime/mcp/closing.ts';
import type { Conversation } from '../../server-runtime/mcp/handlers.ts';
import { type LoadedHandlers, loadHandlers } from '../../server-runtime/mcp/load-handlers.ts';
import { toTools } from '../../server-runtime/mcp/tools.ts';
import { type CompiledRegistry, toRegistry } from '../../server-runtime/registry/compile-registry.ts';
import { createServer } from '../../server-runtime/server/create-server.ts';
import { consoleLogger } from '../../server-runtime/server/logger.ts';
import { applicationOf } from '../../server-runtime/server/server-internals.ts';
import type { Transport } from '../../server-runtime/server/transport.ts';
import { parseContext, parseHeaders } from '../cli/caller-values.ts';
import { CliError } from '../cli/cli-error.ts';
import { followCode } from '../load/hooks/follow-code.ts';
import { toConfigFailure, toImportFailure, toLoadError } from '../load/load-failure.ts';
import { readRegistry } from '../load/read-registry.ts';
import { toCallerContext } from '../load/to-caller-context.ts';
import type { LoadedRegistry } from '../manifest/loaded-registry.ts';
import { stripOutput } from '../patches/strip-output.ts';
import { connectToParent } from '../system/parent-channel.ts';
import { importWithin } from '../system/run-user-code.ts';
import { catchUncaught } from '../terminal/end-process.ts';
import { selectOperations } from './select-operations.ts';
import { toStartError } from './serve-tools.ts';
import type {
  HandlerResult,
  LoadedOffers,
  LoadTools,
  ToolsAnswer,
  ToolsNews,
  ToolsProtocol,
  ToolsQuestion,
} from './tools-process.ts';

// A process that runs one state of the project's code and answers what clients ask of it. Its file descriptor 1 is
// stderr, so that whatever the code does with its stdout, and what it starts, cannot reach the protocol.

stripOutput();
// The process that started this one says when it ends, also after Ctrl-C, which reaches both.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {});

const closing = new Closing();
const running = new Map<number, AbortController>();
let loaded: LoadedHandlers | undefined;
let isEnding = false;
let stop = async (): Promise<void> => {};

const { send } = connectToParent<ToolsProtocol>({
  answers: { load, handle },
  onOrder: (order) => {
    if (order.kind === 'cancel') return running.get(order.id)?.abort();
    closing.begin();
    if (order.kind === 'end') isEnding = true;
    endWhenDone();
  },
});

const hooks = followCode((notes) => void send(notes));

async function load({ project, variables, options, secret }: LoadTools): Promise<ToolsAnswer> {
  Object.assign(process.env, variables);
  try {
    const given = options.context === undefined ? undefined : parseContext(options.context);
    const headers = parseHeaders(options.header, process.env);
    const read = await runAlone(() => readRegistry(project, importWithin)).catch((thrown: unknown) => {
      throw toLoadError(toImportFailure(thrown, project, []), thrown);
    });
    hooks.flush();
    if (read.kind === 'failed') throw toLoadError(read.failure);
    const offers = await serve(read, toCallerContext(read, { headers, given }), { options, secret });
    // A fault of one call that nobody awaits must not end what other calls wait for.
    catchUncaught((error) =>
      consoleLogger.error("[capix] The project's code threw an error that nothing caught; the server goes on.", {
        error,
      }),
    );
    return { kind: 'loaded', offers };
  } catch (thrown) {
    const error = thrown instanceof CliError ? thrown : toLoadError(toImportFailure(thrown, project, []), thrown);
    const { code, message, hint, frame } = error;
    return { kind: 'failed', error: { code, message, hint, frame } };
  }
}

/** Starts an application whose only transport is the channel to the parent. */
async function serve(
  { faults = [], project, registry }: LoadedRegistry,
  context: ContextBuilder | undefined,
  { options, secret }: Pick<LoadTools, 'options' | 'secret'>,
): Promise<LoadedOffers> {
  const [fault] = faults;
  if (fault !== undefined) throw toLoadError(toConfigFailure(fault.error, project));
  const capabilities: CompiledRegistry = toRegistry(selectOperations(registry.operations, options));
  const transport: Transport = {
    name: 'mcp',
    start: async (given) => {
      const app = applicationOf(given);
      const tools = toTools(app.registry.operations);
      loaded = await loadHandlers({ app, tools, closing, secret, hidesRefused: false, isLive: true });
      return { routes: [] };
    },
    stop: async () => {},
  };
  const server = createServer({
    capabilities,
    transports: [transport],
    logger: consoleLogger,
    ...(context && { context }),
  });
  await server.start().catch((error: unknown) => {
    throw toStartError(error, undefined);
  });
  stop = () => server.stop();
  return toOffers();
}

async function toOffers(): Promise<LoadedOffers> {
  const methods = Object.keys(loaded?.handlers ?? {});
  const listed = methods.filter((method) => method.endsWith('/list'));
  const lists = await Promise.all(listed.map(async (method) => [method, await readList(method)] as const));
  return {
    capabilities: loaded?.capabilities ?? {},
    lists: Object.fromEntries(lists),
    methods: methods.filter((method) => !listed.includes(method)),
  };
}

/** A list of the library with all its pages. */
async function readList(method: string): Promise<LoadedOffers['lists'][string]> {
  const context = { mcpReq: { signal: closing.signal } } as unknown as ServerContext;
  const entries: Record<string, unknown[]> = {};
  for (let cursor: unknown, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
    const { nextCursor, ...page } = (await run({ method, params: { cursor } }, context)) as Record<string, unknown>;
    for (const [name, more] of Object.entries(page)) (entries[name] ??= []).push(...(more as readonly unknown[]));
    cursor = nextCursor;
  }
  return entries;
}

type Handler = (params: unknown, context: ServerContext, conversation: Conversation) => Promise<object> | object;

/** Answers with the handler of the library, as in a request of this client. */
async function run(
  { method, params, client }: Pick<ToolsQuestion, 'method' | 'params'> & Partial<Pick<ToolsQuestion, 'client'>>,
  context: ServerContext,
): Promise<object> {
  const handlers = (loaded?.handlers ?? {}) as Readonly<Record<string, Handler>>;
  const conversation: Conversation = {
    kind: 'request',
    watched: new Set(),
    getClientCapabilities: () => client?.capabilities,
    getClientVersion: () => client?.version as ReturnType<Conversation['getClientVersion']>,
  };
  return (await handlers[method]?.(params ?? {}, context, conversation)) ?? {};
}

async function handle(question: ToolsQuestion, tell: (news: ToolsNews) => Promise<void>): Promise<HandlerResult> {
  const { id } = question;
  const cancelled = new AbortController();
  running.set(id, cancelled);
  try {
    const context = toContext(question, { signal: cancelled.signal, tell });
    return { kind: 'result', result: await run(question, context) };
  } catch (error) {
    const { code, message, data } = Object(error) as { readonly code?: unknown; message?: string; data?: unknown };
    return { kind: 'error', code: typeof code === 'number' ? code : INTERNAL_ERROR, message: message ?? '', data };
  } finally {
    running.delete(id);
    setImmediate(endWhenDone);
  }
}

/** The code of JSON-RPC for what is nobody's fault but the server's. */
const INTERNAL_ERROR = -32_603;

interface Call {
  readonly signal: AbortSignal;
  readonly tell: (news: ToolsNews) => Promise<void>;
}

/** The facts about a request in the form in which handlers get them from the SDK. */
function toContext(question: ToolsQuestion, { signal, tell }: Call): ServerContext {
  const { method, meta, envelope, inputResponses, requestState, http } = question;
  const context = {
    mcpReq: {
      id: question.id,
      method,
      _meta: meta,
      envelope,
      inputResponses,
      requestState: () => requestState,
      signal,
      notify: (notification: { readonly method: string; readonly params?: object }) =>
        tell({ kind: 'notification', notification }),
      log: (level: string, data: unknown, logger?: string) => tell({ kind: 'log', level, data, logger }),
    },
    http: http && { req: { headers: new Headers(http.headers), signal }, authInfo: http.authInfo },
  };
  return context as unknown as ServerContext;
}

function endWhenDone(): void {
  if (!isEnding || running.size > 0) return;
  void closing
    .cleaned()
    .then(stop)
    .then(() => process.exit());
}

/** Anything that is thrown meanwhile where nobody catches it counts too. */
async function runAlone<T>(use: () => Promise<T>): Promise<T> {
  let stopCatching = (): void => {};
  const uncaught = new Promise<never>((_, reject) => {
    stopCatching = catchUncaught(reject);
  });
  return Promise.race([use(), uncaught]).finally(stopCatching);
}
