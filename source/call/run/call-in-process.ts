import { readFile } from 'node:fs/promises';
import type { Failure } from '../../../server-runtime/errors/failure.ts';
import type { Outcome } from '../../../server-runtime/errors/outcome.ts';
import { readThrown } from '../../../server-runtime/errors/read-thrown.ts';
import { toCodeFrame } from '../../manifest/code-frame.ts';
import { expectCapability } from '../../manifest/expect-capability.ts';
import type { LoadedRegistry } from '../../manifest/loaded-registry.ts';
import { findSourcePlace } from '../../manifest/places/find-source-place.ts';
import { stripControl } from '../../terminal/control/strip-control.ts';
import type { CallQuestion, CallResult } from './call-protocol.ts';
import { invokeToEnd } from './invoke-to-end.ts';
import { type AskUser, QuestionRounds } from './question-rounds.ts';
import { readInputWithFiles } from './read-input-with-files.ts';
import type { RequestHeaders } from './request-headers.ts';
import { toAsking } from './to-asking.ts';
import { toContextHint } from './to-context-hint.ts';

/**
 * Calls a capability in this process, and tells what a caller over HTTP would get. With headers the context is the project's own, where it
 * exports one. `ask`: asks the user what the capability wants to know, and for approval where `.tool({ approve })` says so; without it, questions
 * are refused.
 *
 * @throws CliError `UnknownCapability`; MissingFile
 */
export async function callInProcess(
  loaded: LoadedRegistry,
  { key, input, headers }: CallQuestion & { readonly headers: RequestHeaders },
  ask?: AskUser,
): Promise<CallResult> {
  const { registry, project } = loaded;
  const operation = expectCapability(key, registry.operations);
  const context = Object.keys(headers).length === 0 ? undefined : loaded.context;
  const rounds = new QuestionRounds();
  let startedAt = 0;
  let status = 200;
  const onStatus = (told: number): void => void (status = told);
  const run = async (): Promise<Outcome> => {
    const given = await readInputWithFiles(operation, input);
    const asking = ask === undefined ? {} : toAsking(operation, rounds.begin());
    status = 200;
    startedAt = performance.now();
    return invokeToEnd({ registry, context, capability: key, input: given, headers, onStatus, ...asking });
  };
  let outcome = await run();
  while (ask !== undefined && (await rounds.ask(outcome, ask))) outcome = await run();
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
