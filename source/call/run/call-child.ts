import { inspect } from 'node:util';
import { createValidator, type FieldProblem } from '../../../server-runtime/schema/validator.ts';
import type { LoadFailure } from '../../load/load-failure.ts';
import { readRegistry } from '../../load/read-registry.ts';
import type { LoadedRegistry } from '../../manifest/loaded-registry.ts';
import { connectToParent } from '../../system/child/parent-channel.ts';
import { callInProcess } from './call-in-process.ts';
import type { CallProtocol, CallQuestion, CallResult, LoadCode } from './call-protocol.ts';
import { MissingFile } from './read-files.ts';
import { readInputWithFiles } from './read-input-with-files.ts';
import type { RequestHeaders } from './request-headers.ts';

// A process that holds one state of the project's code, and validates and calls its capabilities until it is ended.

let loaded: LoadedRegistry | undefined;

connectToParent<CallProtocol>({ answers: { load, validate, call } });
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
async function call(question: CallQuestion & { readonly headers: RequestHeaders }): Promise<CallResult> {
  if (loaded?.registry.find(question.key) === undefined) throw new Error(`There is no capability ${question.key}.`);
  return callInProcess(loaded, question);
}
