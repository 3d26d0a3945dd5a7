import { PassThrough, Writable } from 'node:stream';
import { toRegistry } from '../../../server-runtime/registry/compile-registry.ts';
import { consoleLogger } from '../../../server-runtime/server/log/logger.ts';
import { CliError } from '../../cli/errors/cli-error.ts';
import { parseContext } from '../../cli/values/parse-context.ts';
import { parseHeaders } from '../../cli/values/parse-headers.ts';
import { createToolCallJournal } from '../../files/journals/tool-call-journal.ts';
import { toConfigFailure, toImportFailure, toLoadError } from '../../load/load-failure.ts';
import { importRegistry } from '../../load/read-registry.ts';
import { toCallerContext } from '../../load/to-caller-context.ts';
import type { LoadedRegistry } from '../../manifest/loaded-registry.ts';
import { selectOperations } from '../../manifest/tools/select-operations.ts';
import { stripOutput } from '../../patches/strip-output.ts';
import { connectToParent } from '../../system/child/parent-channel.ts';
import { importWithin } from '../../system/import-within.ts';
import { catchUncaught } from '../../terminal/catch-uncaught.ts';
import { startTools } from './start-tools.ts';
import type { LoadTools, ToolsAnswer, ToolsProtocol } from './tools-protocol.ts';

// A process that runs one state of the project's code and answers a client's messages. Its file descriptor 1 is stderr, so that whatever the code
// does with its stdout, and what it starts, cannot reach the protocol.

stripOutput();
// The process that started this one says when it ends, also after Ctrl-C, which reaches both.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {});

const input = new PassThrough();
let end = (): void => void input.end();
const channel = connectToParent<ToolsProtocol>({
  answers: { load },
  onOrder: (order) => (order.kind === 'end' ? end() : void input.write(`${order.text}\n`)),
});
const output = new Writable({
  decodeStrings: false,
  write: (text: string, _encoding, done) => void channel.send(text.trimEnd()).then(() => done()),
});

async function load(question: LoadTools): Promise<ToolsAnswer> {
  const { project, bundle, variables, options } = question;
  Object.assign(process.env, variables);
  try {
    const given = options.context === undefined ? undefined : parseContext(options.context);
    const headers = parseHeaders(options.header, process.env);
    const loaded = await runAlone(() => importRegistry(project, bundle, importWithin)).catch((thrown: unknown) => {
      throw toLoadError(toImportFailure(thrown, project, []), thrown);
    });
    if (loaded.kind === 'failed') throw toLoadError(loaded.failure);
    return await serve(loaded, { headers, given }, question);
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    const { code, message, hint, frame } = error;
    return { kind: 'failed', error: { code, message, hint, frame } };
  }
}

async function serve(
  loaded: LoadedRegistry,
  caller: Parameters<typeof toCallerContext>[1],
  { options, secret, overHttp }: LoadTools,
): Promise<ToolsAnswer> {
  const [fault] = loaded.faults ?? [];
  if (fault !== undefined) throw toLoadError(toConfigFailure(fault.error, loaded.project));
  const registry = toRegistry(selectOperations(loaded.registry.operations, options));
  const { stop, url, offers } = await startTools({
    registry,
    context: toCallerContext(loaded, caller),
    options,
    secret,
    onTool: createToolCallJournal(loaded.project.root).take,
    streams: overHttp ? undefined : { input, output, onClose: () => leave() },
  });
  const leave = (): void => void stop().then(() => process.exit());
  if (overHttp) end = leave;
  // A fault of one call that nobody awaits must not end what other calls wait for.
  catchUncaught((error) =>
    consoleLogger.error("[capix] The project's code threw an error that nothing caught; the server goes on.", {
      error,
    }),
  );
  return { kind: 'loaded', offers, url };
}

/** Anything that is thrown meanwhile where nobody catches it counts too. */
async function runAlone<T>(use: () => Promise<T>): Promise<T> {
  let stop = (): void => {};
  const uncaught = new Promise<never>((_, reject) => {
    stop = catchUncaught(reject);
  });
  return Promise.race([use(), uncaught]).finally(stop);
}
