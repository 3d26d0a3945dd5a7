import type { CallResult } from '../run/call-protocol.ts';
import type { RequestHeaders } from '../run/request-headers.ts';
import { fillTemplates, findNeededCalls, type TemplateValues, UnfilledTemplate } from './fill-templates.ts';
import { findMismatches } from './find-mismatches.ts';
import type { Expectation, SavedCall } from './saved-call.ts';

/** A saved call with its templates filled in. */
export interface FilledCall {
  readonly saved: SavedCall;
  readonly input: unknown;
  /** Names in lower case. */
  readonly headers: RequestHeaders;
  readonly expect: Expectation;
}

/** The outcome of a saved call. */
export interface SavedResult {
  readonly saved: SavedCall;
  /** Missing where it was not made. */
  readonly answer: CallResult | undefined;
  /** Why it failed, a sentence each; none where it passed. */
  readonly problems: readonly string[];
}

export interface RunSavedOptions {
  readonly calls: readonly SavedCall[];
  readonly variables: TemplateValues['variables'];
  readonly call: (filled: FilledCall) => Promise<CallResult>;
}

export interface SavedRun {
  readonly run: (name: string) => Promise<SavedResult>;
  /** Runs what the call needs, and gives it filled in. Rejects with `UnfilledTemplate`. */
  readonly fill: (name: string) => Promise<FilledCall>;
}

/** Runs saved calls, each once, and before it those whose answers it needs. */
export function createSavedRun({ calls, variables, call }: RunSavedOptions): SavedRun {
  const results = new Map<string, Promise<SavedResult>>();
  // `above`: the calls that need this one, the outermost first.
  const run = async (name: string, above: readonly string[]): Promise<SavedResult> => {
    if (above.includes(name)) throw new UnfilledTemplate([...above, name].map((one) => `@${one}`).join(' needs '));
    const result = results.get(name) ?? runOne(findSaved(name), above);
    results.set(name, result);
    return result;
  };
  const findSaved = (name: string): SavedCall => {
    const saved = calls.find((one) => one.name === name);
    if (saved === undefined) throw new UnfilledTemplate(`there is no saved call @${name}`);
    return saved;
  };
  const fill = async (saved: SavedCall, above: readonly string[]) => {
    const { input = {}, headers, expect } = saved;
    const answers = new Map<string, unknown>();
    for (const name of findNeededCalls({ input, headers, expect })) {
      const { answer, problems } = await run(name, [...above, saved.name]);
      if (answer === undefined || problems.length > 0)
        throw new UnfilledTemplate(`@${name}, which it needs, failed: ${problems.join('; ')}`);
      answers.set(name, answer.body);
    }
    const filled = fillTemplates({ input, headers, expect }, { answers, variables }) as Filled;
    const named = Object.entries(filled.headers).map(([name, value]) => [name.toLowerCase(), String(value)] as const);
    return { ...filled, saved, headers: Object.fromEntries(named) };
  };
  const runOne = async (saved: SavedCall, above: readonly string[]): Promise<SavedResult> => {
    try {
      const filled = await fill(saved, above);
      const answer = await call(filled);
      return { saved, answer, problems: findMismatches(answer, filled.expect) };
    } catch (error) {
      return { saved, answer: undefined, problems: [error instanceof Error ? error.message : String(error)] };
    }
  };
  return { run: (name) => run(name, []), fill: (name) => fill(findSaved(name), []) };
}

interface Filled {
  readonly input: unknown;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly expect: Expectation;
}
