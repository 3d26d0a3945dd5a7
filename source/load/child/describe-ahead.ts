import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type AnyCapability,
  definitionOfCapability,
  isCapability,
} from '../../../server-runtime/capability/capability.ts';
import { type CompiledRegistry, toRegistry } from '../../../server-runtime/registry/compile-registry.ts';
import type { Operation } from '../../../server-runtime/registry/operation.ts';
import { findFieldNames } from '../../../server-runtime/schema/find-field-names.ts';
import { loadManifest } from '../../manifest/load-manifest.ts';
import type { Project } from '../../manifest/project.ts';
import { packManifest } from './packed-manifest.ts';

export interface DescribeAheadOptions {
  readonly project: Project;
  /** Whether somebody waits for the process: nothing more is described ahead. */
  readonly isAwaited: () => boolean;
}

/** The number of capabilities that are described at once: whoever waits for the process gets it soon. */
const AT_ONCE = 32;

const described = new WeakSet<AnyCapability>();

/**
 * Makes manifests of the capabilities among some values, and throws them away: what costs most of the manifest that somebody will wait for, the places
 * and the schemas, is remembered, and the engine has run the functions that make the rest.
 */
export async function describeAhead(values: readonly unknown[], options: DescribeAheadOptions): Promise<void> {
  const { project, isAwaited } = options;
  // A file that hands on what others declare has the same ones.
  const capabilities = values.filter(isCapability).filter((capability) => !described.has(capability));
  for (let at = 0; at < capabilities.length; at += AT_ONCE) {
    await nextTurn();
    if (isAwaited()) return;
    const some = capabilities.slice(at, at + AT_ONCE);
    for (const capability of some) described.add(capability);
    await describe(some, project).catch(() => undefined); // Whoever waits for them is told.
  }
}

async function describe(capabilities: readonly AnyCapability[], project: Project): Promise<void> {
  const registry = toRegistryAhead(capabilities);
  const manifest = await loadManifest({ kind: 'loaded', project, registry, restOptions: {}, files: [] });
  for (const _part of packManifest(manifest, []));
}

/** Each capability as a query at a route of its own. No code of the project runs, as that of enhancers does where its tree is compiled. */
function toRegistryAhead(capabilities: readonly AnyCapability[]): CompiledRegistry {
  return toRegistry(
    capabilities.map((capability, index): Operation => {
      const definition = definitionOfCapability(capability);
      const fields = findFieldNames(definition.schema);
      const name = `getThing${index}`;
      return {
        key: `ahead.${name}`,
        groups: ['ahead'],
        name,
        intent: 'query',
        declaredIntent: undefined,
        declaredRoutes: [],
        fields,
        hasId: fields?.has('id') ?? false,
        timeoutMs: undefined,
        definition,
      };
    }),
  );
}
