import { defineContext } from '../../../server-runtime/capability/context.ts';
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
  /** Headers of every call, by their names in lower case: credentials for the guards. */
  readonly headers: Readonly<Record<string, string>>;
  /** The context of every call. @default what the project's own makes of the headers */
  readonly context?: Readonly<Record<string, unknown>> | undefined;
}

/** The capabilities that were called, and those that were not. */
export interface ProbeReport {
  readonly seed: number;
  readonly calls: number;
  /** Keys of the capabilities that were called. */
  readonly probed: readonly string[];
  /** Keys of those of them whose guards let no call pass: their handlers were not tried. */
  readonly refused: readonly string[];
  /** Keys of those that were not: they change something, take a file, or the time was over. */
  readonly skipped: readonly string[];
}

/** The time that all of it may take and that one capability may, milliseconds. */
const TOTAL_MS = 30_000;
const EACH_MS = 3_000;

/** Calls the capabilities of a project that are safe to run with generated inputs, in this process. */
export async function probeProject(
  loaded: LoadedRegistry,
  { capabilities }: Pick<Manifest, 'capabilities'>,
  options: ProbeProjectOptions,
): Promise<{ readonly problems: readonly Problem[]; readonly report: ProbeReport }> {
  const { registry, project } = loaded;
  const { seed = Math.floor(Math.random() * 2 ** 31), withMutations, headers } = options;
  const app = toApp(loaded, options);
  const until = performance.now() + TOTAL_MS;
  const problems: Problem[] = [];
  const probed: string[] = [];
  const refused: string[] = [];
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
      invokeOperation(app, { capability: capability.key, input, headers, signal });
    const facts = { seed, timeoutMs, root: project.root, call };
    const found = await runUserCode(() => probeCapability(capability, operation, facts), 'call');
    calls += found.calls;
    probed.push(capability.key);
    if (found.isRefused) refused.push(capability.key);
    if (found.problem !== undefined) problems.push(found.problem);
  }
  return { problems, report: { seed, calls, probed, refused, skipped } };
}

function toApp({ registry, context: own }: LoadedRegistry, { context: given }: ProbeProjectOptions) {
  const context = given === undefined ? own : defineContext(() => given);
  const server = createServer({
    capabilities: registry,
    logger: silentLogger,
    ...(context && { context }),
  });
  return internalsOf(server).appFor(undefined);
}

/** A file cannot be made up. */
function isSafe({ intent, input }: ManifestCapability, withMutations: boolean): boolean {
  return (withMutations || intent === 'query') && !JSON.stringify(input?.json ?? {}).includes('"x-file"');
}
