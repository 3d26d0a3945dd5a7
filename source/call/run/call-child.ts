import { readFile } from 'node:fs/promises';
import { inspect } from 'node:util';
import type { Failure } from '../../../server-runtime/errors/failure.ts';
import { readThrown } from '../../../server-runtime/errors/read-thrown.ts';
import { createValidator, type FieldProblem } from '../../../server-runtime/schema/validator.ts';
import type { LoadFailure } from '../../load/load-failure.ts';
import { readRegistry } from '../../load/read-registry.ts';
import { toCodeFrame } from '../../manifest/code-frame.ts';
import { findSourcePlace } from '../../manifest/find-source-place.ts';
import type { LoadedRegistry } from '../../manifest/loaded-registry.ts';
import { connectToParent } from '../../system/child/parent-channel.ts';
import { stripControl } from '../../terminal/control/strip-control.ts';
import type { CallProtocol, CallQuestion, CallResult, LoadCode } from './call-protocol.ts';
import { invokeToEnd } from './invoke-to-end.ts';
import { MissingFile } from './read-files.ts';
import { readInputWithFiles } from './read-input-with-files.ts';
import type { RequestHeaders } from './request-headers.ts';
import { toContextHint } from './to-context-hint.ts';

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
async function call({ key, input, headers }: CallQuestion & { readonly headers: RequestHeaders }): Promise<CallResult> {
  const operation = loaded?.registry.find(key);
  if (loaded === undefined || operation === undefined) throw new Error(`There is no capability ${key}.`);
  const { registry, project } = loaded;
  const context = Object.keys(headers).length === 0 ? undefined : loaded.context;
  const given = await readInputWithFiles(operation, input);
  const startedAt = performance.now();
  const outcome = await invokeToEnd({ registry, context, capability: key, input: given, headers });
  const durationMs = performance.now() - startedAt;
  if (outcome.ok) return { status: 200, durationMs, body: { data: outcome.value } };
  const refusal = { durationMs, ...(await describeRefusal(outcome.failure, project.root)) };
  return { ...refusal, hint: toContextHint(refusal, { isStub: context === undefined, project: loaded }) };
}

/** As it would arrive: what JSON cannot say is gone. */
function toJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value ?? null)) as unknown;
}

async function describeRefusal(
  { status, name, message, meta, cause, unexpected }: Failure,
  root: string,
): Promise<Pick<CallResult, 'status' | 'body' | 'frame' | 'place' | 'thrown'>> {
  const body = toJson({ error: name, message, meta });
  if (unexpected !== true) return { status, body };
  const error = readThrown(cause);
  const place = findSourcePlace(error.stack, { root });
  return {
    status,
    body,
    place,
    thrown: stripControl(`${error.name}: ${error.message}`),
    frame: place && toCodeFrame({ ...place, text: await readFile(place.file, 'utf8').catch(() => '') }),
  };
}
