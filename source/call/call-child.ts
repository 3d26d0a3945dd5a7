import { readFile } from 'node:fs/promises';
import { isFrameworkError } from '../../server-runtime/errors/framework-error.ts';
import { type FieldProblem, toValidator } from '../../server-runtime/schema/validate-input.ts';
import { createServer } from '../../server-runtime/server/create-server.ts';
import { silentLogger } from '../../server-runtime/server/logger.ts';
import { toCodeFrame } from '../project/code-frame.ts';
import { findSourcePlace } from '../project/find-source-place.ts';
import { type LoadedRegistry, readRegistry } from '../project/read-registry.ts';
import { stripControl } from '../terminal/strip-control.ts';
import type { CallAnswer, CallRequest, CallResult } from './call-messages.ts';

// A process that holds one state of the project's code, and validates and calls its capabilities until it is ended.

let loaded: LoadedRegistry | undefined;

process.on('message', (request: CallRequest) => void answer(request));
process.on('disconnect', () => process.exit());
// What user code leaves unhandled must not end the process in which the next call runs.
process.on('unhandledRejection', () => {});

async function answer(request: CallRequest): Promise<void> {
  switch (request.kind) {
    case 'load': {
      const result = await readRegistry(request.project);
      if (result.kind === 'loaded') loaded = result;
      return send(result.kind === 'loaded' ? { kind: 'loaded' } : { kind: 'failed', failure: result.failure });
    }
    case 'validate':
      return send({ kind: 'validated', id: request.id, fields: await validate(request.key, request.input) });
    case 'call':
      return send({ kind: 'answered', id: request.id, result: await call(request.key, request.input) });
  }
}

function send(message: CallAnswer): void {
  process.send?.(message);
}

async function validate(key: string, input: unknown): Promise<readonly FieldProblem[]> {
  const operation = loaded?.registry.find(key);
  if (operation === undefined) return [];
  const outcome = await toValidator(operation.definition.schema)(input);
  return outcome.ok ? [] : ((outcome.failure.meta?.['fields'] ?? []) as readonly FieldProblem[]);
}

async function call(key: string, input: unknown): Promise<CallResult> {
  if (loaded === undefined) throw new Error('A capability was called before the project was loaded.');
  const { registry, project } = loaded;
  const server = createServer({ capabilities: registry, logger: silentLogger });
  const startedAt = performance.now();
  const durationMs = (): number => performance.now() - startedAt;
  try {
    const value = await server.invoke({ capability: key, input });
    return { status: 200, durationMs: durationMs(), body: { data: toJson(value) } };
  } catch (thrown) {
    return { durationMs: durationMs(), ...(await toRefusal(thrown, project.root)) };
  }
}

/** As it would arrive: what JSON cannot say is gone. */
function toJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value ?? null)) as unknown;
}

async function toRefusal(
  thrown: unknown,
  root: string,
): Promise<Pick<CallResult, 'status' | 'body' | 'frame' | 'thrown'>> {
  if (isFrameworkError(thrown)) {
    const { status, name, message, meta } = thrown;
    return { status, body: toJson({ error: name, message, meta }) };
  }
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const place = findSourcePlace(error.stack, { root });
  return {
    status: 500,
    body: { error: 'Internal', message: 'Internal server error' },
    thrown: stripControl(`${error.name}: ${error.message}`),
    frame: place && toCodeFrame({ ...place, text: await readFile(place.file, 'utf8').catch(() => '') }),
  };
}
