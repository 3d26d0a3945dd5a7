import { createServer } from '../../../server-runtime/server/create-server.ts';
import { invokeOperation } from '../../../server-runtime/server/invoke/invoke-operation.ts';
import { silentLogger } from '../../../server-runtime/server/log/logger.ts';
import { internalsOf } from '../../../server-runtime/server/server-internals.ts';
import type { LoadedRegistry } from '../../manifest/loaded-registry.ts';
import type { Manifest, ManifestCapability } from '../../manifest/manifest.ts';
import type { Problem } from '../../manifest/problem.ts';
import { runUserCode } from '../../system/run-user-code.ts';
import { probeCapability } from './probe-capability.ts';

export interface ProbeProjectOptions {
  /** The number that the inputs are made of. @default another one each time */
  readonly seed?: number | undefined;
  /** Whether capabilities are called that change something. */
  readonly withMutations: boolean;
}

/** The capabilities that were called, and those that were not. */
export interface ProbeReport {
  readonly seed: number;
  readonly calls: number;
  /** Keys of the capabilities that were called. */
  readonly probed: readonly string[];
  /** Keys of those that were not: they change something, take a file, or the time was over. */
  readonly skipped: readonly string[];
}

/** The time that all of it may take and that one capability may, milliseconds. */
const TOTAL_MS = 30_000;
const EACH_MS = 3_000;

/** Calls the capabilities of a project that are safe to run with generated inputs, in this process and with the project's own context. */
export async function probeProject(
  loaded: LoadedRegistry,
  { capabilities }: Pick<Manifest, 'capabilities'>,
  { seed = Math.floor(Math.random() * 2 ** 31), withMutations }: ProbeProjectOptions,
): Promise<{ readonly problems: readonly Problem[]; readonly report: ProbeReport }> {
  const { registry, context, project } = loaded;
  const server = createServer({
    capabilities: registry,
    logger: silentLogger,
    checkOutput: true,
    ...(context && { context }),
  });
  const app = internalsOf(server).appFor(undefined);
  const until = performance.now() + TOTAL_MS;
  const problems: Problem[] = [];
  const probed: string[] = [];
  const skipped: string[] = [];
  let calls = 0;
  for (const [index, capability] of capabilities.entries()) {
    const operation = registry.operations[index];
    const timeoutMs = Math.min(EACH_MS, until - performance.now());
    if (operation === undefined || timeoutMs <= 0 || !isSafe(capability, withMutations)) {
      skipped.push(capability.key);
      continue;
    }
    const call = (input: unknown, signal: AbortSignal) =>
      invokeOperation(app, { capability: capability.key, input, signal });
    const options = { seed, timeoutMs, root: project.root, call };
    const { calls: made, problem } = await runUserCode(() => probeCapability(capability, operation, options), 'call');
    calls += made;
    probed.push(capability.key);
    if (problem !== undefined) problems.push(problem);
  }
  return { problems, report: { seed, calls, probed, skipped } };
}

/** A file cannot be made up. */
function isSafe({ intent, input }: ManifestCapability, withMutations: boolean): boolean {
  return (withMutations || intent === 'query') && !JSON.stringify(input?.json ?? {}).includes('"x-file"');
}
