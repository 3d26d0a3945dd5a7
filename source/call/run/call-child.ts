import { inspect } from 'node:util';
import type { Elicited } from '../../../server-runtime/capability/call-request.ts';
import { createValidator, type FieldProblem } from '../../../server-runtime/schema/validator.ts';
import type { LoadFailure } from '../../load/load-failure.ts';
import { readRegistry } from '../../load/read-registry.ts';
import type { LoadedRegistry } from '../../manifest/loaded-registry.ts';
import { connectToParent } from '../../system/parent-channel.ts';
import { callHere, readInputWithFiles } from './call-here.ts';
import { MissingFile } from './call-input.ts';
import type { AskUser, CallProgress, CallProtocol, CallQuestion, CallResult, LoadCode } from './run-call.ts';

// A process that holds one state of the project's code, and validates and calls its capabilities until it is ended.

let loaded: LoadedRegistry | undefined;

/** Takes the answers of the user, by the numbers of the questions. */
const waiting = new Map<number, (answer: Elicited) => void>();
let lastAsked = 0;

connectToParent<CallProtocol>({
  answers: { load, validate, call },
  onOrder: ({ id, answer }) => {
    waiting.get(id)?.(answer);
    waiting.delete(id);
  },
});
// What user code leaves unhandled must not end the process in which the next call runs.
process.on('unhandledRejection', (reason) => process.stderr.write(`Unhandled rejection: ${inspect(reason)}\n`));

async function load({ project, variables }: LoadCode): Promise<LoadFailure | undefined> {
  Object.assign(process.env, variables);
  const result = await readRegistry(project);
  if (result.kind === 'failed') return result.failure;
  loaded = result;
  return undefined;
}

async function validate({ key, input }: CallQuestion): Promise<readonly FieldProblem[]> {
  const operation = loaded?.registry.find(key);
  if (operation === undefined) return [];
  try {
    const outcome = await createValidator(operation.definition.schema)(await readInputWithFiles(operation, input));
    return outcome.ok ? [] : ((outcome.failure.meta?.['fields'] ?? []) as readonly FieldProblem[]);
  } catch (error) {
    if (error instanceof MissingFile) return [{ path: error.field, message: error.message, code: 'custom' }];
    throw error;
  }
}

/** @throws where the capability cannot be called */
async function call(
  { canAsk, ...question }: CallProtocol['questions']['call']['question'],
  tell: (progress: CallProgress) => Promise<void>,
): Promise<CallResult> {
  if (loaded?.registry.find(question.key) === undefined) throw new Error(`There is no capability ${question.key}.`);
  const ask: AskUser = (asked) =>
    new Promise((resolve) => {
      lastAsked += 1;
      waiting.set(lastAsked, resolve);
      void tell({ kind: 'question', id: lastAsked, question: asked });
    });
  const items = createBatch((batch) => void tell({ kind: 'items', items: batch }));
  const onMessage = (text: string): void => void tell({ kind: 'message', text });
  const on = { onItem: items.add, onMessage, ask: canAsk ? ask : undefined };
  return callHere(loaded, { ...question, on }).finally(items.flush);
}

/** Items that come without a pause go in one message. */
function createBatch(send: (items: readonly unknown[]) => void) {
  let items: unknown[] = [];
  const flush = (): void => {
    if (items.length > 0) send(items);
    items = [];
  };
  const add = (item: unknown): void => {
    if (items.length === 0) setImmediate(flush);
    items.push(item);
  };
  return { add, flush };
}
