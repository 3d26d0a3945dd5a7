import { readFile } from 'node:fs/promises';
import type { Failure } from '../../../server-runtime/errors/failure.ts';
import { readThrown } from '../../../server-runtime/errors/read-thrown.ts';
import { toCodeFrame } from '../../manifest/code-frame.ts';
import { expectCapability } from '../../manifest/expect-capability.ts';
import { findSourcePlace } from '../../manifest/find-source-place.ts';
import type { LoadedRegistry } from '../../manifest/loaded-registry.ts';
import { stripControl } from '../../terminal/control/strip-control.ts';
import type { CallQuestion, CallResult } from './call-protocol.ts';
import { invokeToEnd } from './invoke-to-end.ts';
import { readInputWithFiles } from './read-input-with-files.ts';
import type { RequestHeaders } from './request-headers.ts';
import { toContextHint } from './to-context-hint.ts';

/**
 * Calls a capability in this process, and tells what a caller over HTTP would get. With headers the context is the project's own, where it
 * exports one.
 *
 * @throws CliError `UnknownCapability`; MissingFile
 */
export async function callInProcess(
  loaded: LoadedRegistry,
  { key, input, headers }: CallQuestion & { readonly headers: RequestHeaders },
): Promise<CallResult> {
  const { registry, project } = loaded;
  const operation = expectCapability(key, registry.operations);
  const context = Object.keys(headers).length === 0 ? undefined : loaded.context;
  const given = await readInputWithFiles(operation, input);
  const startedAt = performance.now();
  let status = 200;
  const onStatus = (told: number): void => void (status = told);
  const outcome = await invokeToEnd({ registry, context, capability: key, input: given, headers, onStatus });
  const durationMs = performance.now() - startedAt;
  if (outcome.ok) return { status, durationMs, body: { data: outcome.value } };
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
