import { inspect } from 'node:util';
import type { Elicited } from '../../server-runtime/capability/context.ts';
import type { FieldProblem } from '../../server-runtime/schema/received.ts';
import { createValidator } from '../../server-runtime/schema/validator.ts';
import { readRegistry } from '../load/read-registry.ts';
import type { Project } from '../manifest/project.ts';
import { LocalTimes } from '../record/local-times.ts';
import { connectToParent } from '../system/parent-channel.ts';
import { callHere, readInputWithFiles } from './call-here.ts';
import { MissingFile } from './call-input.ts';
import type { CallProgress, CallProtocol } from './call-session.ts';
import type { AskUser, CallQuestion, CallResult, LoggedLine } from './perform-call.ts';

// A process that holds one state of the project's code, and validates and calls its capabilities until it is ended.

const project = JSON.parse(process.argv[2] ?? '') as Project;
const times = new LocalTimes();
let loading: ReturnType<typeof readRegistry> | undefined;
/** Takes the answer of the user to the question that the call asks. */
let onAnswer: ((answer: Elicited) => void) | undefined;

connectToParent<CallProtocol>({
  answers: { validate, call },
  onOrder: (answer) => onAnswer?.(answer),
});
// What user code leaves unhandled must not end the process in which the next call runs.
process.on('unhandledRejection', (reason) =>
  process.stderr.write(`Unhandled rejection: ${inspect(reason)}\n`),
);

const load = (): ReturnType<typeof readRegistry> => {
  loading ??= readRegistry(project);
  return loading;
};

async function validate({ key, input }: CallQuestion): Promise<readonly FieldProblem[]> {
  const operation = (await load()).registry.find(key);
  if (operation === undefined) return [];
  try {
    const outcome = await createValidator(operation.definition.schema)(
      await readInputWithFiles(operation, input),
    );
    return outcome.ok ? [] : ((outcome.failure.meta?.['fields'] ?? []) as readonly FieldProblem[]);
  } catch (error) {
    if (error instanceof MissingFile)
      return [{ path: error.field, message: error.message, code: 'custom' }];
    throw error;
  }
}

async function call(
  { canAsk, ...request }: CallProtocol['questions']['call']['question'],
  tell: (progress: CallProgress) => Promise<void>,
): Promise<CallResult> {
  const ask: AskUser = (question) =>
    new Promise((resolve) => {
      onAnswer = resolve;
      void tell({ question });
    });
  const on = {
    onItem: (item: unknown) => void tell({ item }),
    onLine: (line: LoggedLine) => void tell({ line }),
    ask: canAsk ? ask : undefined,
  };
  return callHere(await load(), { ...request, on }, { surface: 'screen', times });
}
