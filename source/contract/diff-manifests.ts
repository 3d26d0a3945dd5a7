import type { Manifest, ManifestCapability } from '../manifest/manifest.ts';
import {
  type CapabilityChange,
  type ContractChange,
  type ContractDiff,
  compareClasses,
  everybody,
  worstClass,
} from './contract-change.ts';
import { diffFacts } from './diff-facts.ts';
import { diffSchemas } from './diff-schemas.ts';

type Contract = Pick<Manifest, 'capabilities'>;

/** What differs between the contracts of two manifests with schemas, and what each difference does to callers. Pure. */
export function diffManifests(before: Contract, after: Contract): ContractDiff {
  const olds = new Map(before.capabilities.map((capability) => [capability.key, capability]));
  const news = new Map(after.capabilities.map((capability) => [capability.key, capability]));
  const added = after.capabilities.filter(({ key }) => !olds.has(key)).map(toAdded);
  const removed = before.capabilities.filter(({ key }) => !news.has(key)).map((gone) => toRemoved(gone, after));
  const changed = after.capabilities.flatMap((capability) => {
    const old = olds.get(capability.key);
    return old === undefined ? [] : diffCapability(old, capability);
  });
  return { added, removed, changed, class: worstClass([...added, ...removed, ...changed]) };
}

function diffCapability(before: ManifestCapability, after: ManifestCapability): readonly CapabilityChange[] {
  const changes = [
    ...diffFacts(before, after),
    ...diffSchemas({ before: before.input?.json, after: after.input?.json, direction: 'input' }),
    ...diffSchemas({ before: before.output?.json, after: after.output?.json, direction: 'output' }),
  ].toSorted((a, b) => compareClasses(a.class, b.class));
  const worst = worstClass(changes);
  if (worst === undefined) return [];
  return [{ kind: 'changed', key: after.key, class: worst, route: toRoute(after), changes }];
}

function toAdded(capability: ManifestCapability): CapabilityChange {
  return { kind: 'added', key: capability.key, class: 'safe', route: toRoute(capability), changes: [] };
}

/** Whoever calls by HTTP does not see the key: a renamed capability that keeps its route still answers them. */
function toRemoved(gone: ManifestCapability, { capabilities }: Contract): CapabilityChange {
  const heir = capabilities.find((capability) => toShape(capability) === toShape(gone));
  const change: ContractChange =
    heir === undefined
      ? {
          class: 'breaking',
          at: 'route',
          message: 'was removed',
          reason: 'its route answers 404 or 405',
          audience: everybody,
        }
      : {
          class: 'breaking',
          at: 'key',
          message: `was removed; \`${heir.key}\` has its route`,
          reason: 'clients and agents know it by its key',
          audience: ['client', 'agents'],
        };
  return { kind: 'removed', key: gone.key, class: change.class, route: toRoute(gone), changes: [change] };
}

function toRoute({ method, path }: ManifestCapability): string {
  return `${method} ${path}`;
}

function toShape({ method, path }: ManifestCapability): string {
  return `${method} ${path.replaceAll(/:[^/]+/g, ':')}`;
}
