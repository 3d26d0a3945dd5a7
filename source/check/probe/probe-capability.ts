import { join } from 'node:path';
import fc from 'fast-check';
import type { Outcome } from '../../../server-runtime/errors/outcome.ts';
import { readThrown } from '../../../server-runtime/errors/read-thrown.ts';
import type { Operation } from '../../../server-runtime/registry/operation.ts';
import { createValidator } from '../../../server-runtime/schema/validator.ts';
import { findDeclaredErrors } from '../../manifest/declared-error.ts';
import type { ManifestCapability } from '../../manifest/manifest.ts';
import { toMistake } from '../../manifest/mistakes/to-mistake.ts';
import { findSourcePlace } from '../../manifest/places/find-source-place.ts';
import type { Problem } from '../../manifest/problem.ts';
import { toProjectPath } from '../../manifest/project.ts';
import { packageRoot } from '../../package-root.ts';
import { toShape } from '../../shape/read/to-shape.ts';
import { toArbitrary } from './to-arbitrary.ts';

export interface ProbeOptions {
  readonly seed: number;
  /** The time that all calls may take, milliseconds; one that runs then is broken off. */
  readonly timeoutMs: number;
  /** Absolute path of the project. */
  readonly root: string;
  /** Calls the capability as a caller would. Never rejects. */
  readonly call: (input: unknown, signal: AbortSignal) => Promise<Outcome>;
}

export interface ProbedCapability {
  readonly calls: number;
  /** Whether its guards let none of the calls pass. */
  readonly isRefused: boolean;
  readonly problem: Problem | undefined;
}

const RUNS = 100;

/** Calls one capability with generated inputs, and gives the smallest that it does not answer as it says. */
export async function probeCapability(
  capability: ManifestCapability,
  operation: Operation,
  { seed, timeoutMs, root, call }: ProbeOptions,
): Promise<ProbedCapability> {
  const validate = createValidator(operation.definition.schema);
  const signal = AbortSignal.timeout(timeoutMs);
  let calls = 0;
  let refusals = 0;
  const findFault = async (input: unknown): Promise<Fault | undefined> => {
    calls++;
    const isFit = (await validate(input)).ok;
    const outcome = await call(input, signal);
    if (!outcome.ok && (outcome.failure.status === 401 || outcome.failure.status === 403)) refusals++;
    return signal.aborted ? undefined : toFault(outcome, { isFit, capability });
  };
  const property = fc.asyncProperty(toArbitrary(toShape(capability.input?.json ?? {})), async (input) => {
    if (signal.aborted) return;
    const fault = await findFault(input);
    if (fault !== undefined) throw new Error(fault.message);
  });
  const { counterexample } = await fc.check(property, { seed, numRuns: RUNS, interruptAfterTimeLimit: timeoutMs });
  const isRefused = calls > 0 && refusals === calls && capability.guards.length > 0;
  if (counterexample === null) return { calls, isRefused, problem: undefined };
  const [input] = counterexample;
  const fault = await findFault(input);
  return { calls, isRefused, problem: fault && toProblem(fault, { capability, input, seed, root }) };
}

interface Fault {
  readonly code: 'probe-failed' | 'probe-misfit' | 'probe-undeclared';
  readonly message: string;
  /** The thrown value. */
  readonly cause?: unknown;
}

interface Expected {
  readonly isFit: boolean;
  readonly capability: ManifestCapability;
}

function toFault(outcome: Outcome, { isFit, capability }: Expected): Fault | undefined {
  if (outcome.ok)
    return isFit ? undefined : { code: 'probe-misfit', message: 'accepts an input that does not fit its schema' };
  const { status, name, cause, unexpected, meta } = outcome.failure;
  if (unexpected === true)
    return { code: 'probe-failed', message: `answers ${status} ${name}${toReason(cause)}`, cause };
  const isValidation = status === 400 && Array.isArray(meta?.['fields']);
  if (isValidation || ofEveryCapability.has(name)) return undefined;
  const isDeclared = findDeclaredErrors(capability).some((error) => error.name === name && error.status === status);
  return isDeclared
    ? undefined
    : { code: 'probe-undeclared', message: `answers ${status} ${name}, which it does not declare` };
}

/** Any call may end in these. */
const ofEveryCapability: ReadonlySet<string> = new Set(['BadRequest', 'Timeout']);

function toReason(cause: unknown): string {
  if (cause === undefined) return '';
  const { name, message } = readThrown(cause);
  return ` (${name}: ${message})`;
}

interface FoundFault {
  readonly capability: ManifestCapability;
  readonly input: unknown;
  readonly seed: number;
  readonly root: string;
}

function toProblem({ code, message, cause }: Fault, { capability, input, seed, root }: FoundFault): Problem {
  const { key } = capability;
  const thrownAt =
    cause === undefined
      ? undefined
      : findSourcePlace(readThrown(cause).stack, { root, except: join(packageRoot(), 'dist') });
  const place = thrownAt === undefined ? {} : { file: toProjectPath(thrownAt.file, root), line: thrownAt.line };
  const shown = JSON.stringify(input);
  const hint =
    code === 'probe-undeclared'
      ? 'Declare it with `.errors(…)`, so that documents and clients know it.'
      : `Try it: capix call ${key} '${shown.replaceAll("'", String.raw`'\''`)}'. The same inputs again: capix check --probe --seed ${seed}.`;
  return {
    ...toMistake(code, capability, { message: `\`${key}\` ${message}. The smallest input: ${shown}`, hint }),
    ...place,
  };
}
