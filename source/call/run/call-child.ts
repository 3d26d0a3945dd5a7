import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { Failure } from '../../../server-runtime/errors/failure.ts';
import { readThrown } from '../../../server-runtime/errors/read-thrown.ts';
import { toFieldValue, toInputPlan } from '../../../server-runtime/input/input-plan.ts';
import type { Operation } from '../../../server-runtime/registry/operation.ts';
import { createValidator, type FieldProblem } from '../../../server-runtime/schema/validator.ts';
import { readRegistry } from '../../load/read-registry.ts';
import { toCodeFrame } from '../../manifest/code-frame.ts';
import { findSourcePlace } from '../../manifest/find-source-place.ts';
import type { LoadedRegistry } from '../../manifest/loaded-registry.ts';
import { stripControl } from '../../terminal/control/strip-control.ts';
import type { CallInput } from './call-input.ts';
import type { CallAnswer, CallRequest, CallResult } from './call-request.ts';
import { invokeToEnd } from './invoke-to-end.ts';
import { MissingFile, readFiles } from './read-files.ts';
import { toContextHint } from './to-context-hint.ts';

// A process that holds one state of the project's code, and validates and calls its capabilities until it is ended.

let loaded: LoadedRegistry | undefined;

process.on('message', (request: CallRequest) => void answer(request));
process.on('disconnect', () => process.exit());
// What user code leaves unhandled must not end the process in which the next call runs.
process.on('unhandledRejection', () => {});

async function answer(request: CallRequest): Promise<void> {
  switch (request.kind) {
    case 'load': {
      Object.assign(process.env, request.variables);
      const result = await readRegistry(request.project);
      if (result.kind === 'loaded') loaded = result;
      return send(result.kind === 'loaded' ? { kind: 'loaded' } : { kind: 'failed', failure: result.failure });
    }
    case 'validate':
      return send({ kind: 'validated', id: request.id, fields: await validate(request) });
    case 'call':
      try {
        return send({ kind: 'answered', id: request.id, result: await call(request) });
      } catch (error) {
        return send({ kind: 'refused', id: request.id, message: error instanceof Error ? error.message : `${error}` });
      }
  }
}

function send(message: CallAnswer): void {
  process.send?.(message);
}

async function validate({ key, input }: Extract<CallRequest, { kind: 'validate' }>): Promise<readonly FieldProblem[]> {
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

/** The files as a form would bring them. */
async function readInputWithFiles({ fields }: Operation, { json, files }: CallInput): Promise<unknown> {
  const read = await readFiles(files);
  if (read.length === 0) return json ?? {};
  const plan = toInputPlan(fields);
  const values = read.map(([name, sent]) => {
    const field = plan.get(name);
    const isStreamed = field?.file?.stream === true;
    const given = isStreamed ? sent.map((file) => ({ ...file, stream: Readable.from([file.buffer]) })) : sent;
    return [name, toFieldValue(field, given)];
  });
  return { ...(json as object), ...Object.fromEntries(values) };
}

/** @throws where the capability cannot be called */
async function call({ key, input, headers }: Extract<CallRequest, { kind: 'call' }>): Promise<CallResult> {
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
): Promise<Pick<CallResult, 'status' | 'body' | 'frame' | 'thrown'>> {
  const body = toJson({ error: name, message, meta });
  if (unexpected !== true) return { status, body };
  const error = readThrown(cause);
  const place = findSourcePlace(error.stack, { root });
  return {
    status,
    body,
    thrown: stripControl(`${error.name}: ${error.message}`),
    frame: place && toCodeFrame({ ...place, text: await readFile(place.file, 'utf8').catch(() => '') }),
  };
}
