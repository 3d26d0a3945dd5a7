import type { Manifest, ManifestCapability } from '../manifest/manifest.ts';
import {
  type CapabilityChange,
  type ContractChange,
  type ContractDiff,
  compareClasses,
  worstClass,
} from './contract-change.ts';
import { diffFacts } from './facts/diff-facts.ts';
import { diffServer } from './facts/diff-server.ts';
import { diffWire } from './facts/diff-wire.ts';
import { toRouteShape } from './facts/route-shape.ts';
import { diffJobs, mergeJobChanges } from './jobs/diff-jobs.ts';
import { toChange } from './rules/to-change.ts';
import { diffInputs } from './schemas/diff-inputs.ts';
import { diffSchemas } from './schemas/diff-schemas.ts';

type Contract = Pick<Manifest, 'capabilities' | 'jobs' | 'bodyLimits' | 'wire'>;

export interface DiffManifestsOptions {
  /** ISO date: whether an end that was announced has come. @default none has */
  readonly today?: string | undefined;
}

/** Compares the contracts of two manifests with schemas, and tells what each difference does to callers. Pure. */
export function diffManifests(old: Contract, now: Contract, options: DiffManifestsOptions = {}): ContractDiff {
  const [before, after] = toSamePrefix(old, now);
  const olds = new Map(before.capabilities.map((capability) => [capability.key, capability]));
  const news = new Map(after.capabilities.map((capability) => [capability.key, capability]));
  const come = after.capabilities.filter(({ key }) => !olds.has(key));
  const heirs = new Map(come.map((capability) => [toRouteShape(capability), capability]));
  const removed = before.capabilities
    .filter(({ key }) => !news.has(key))
    .map((gone) => toRemoved(gone, heirs.get(toRouteShape(gone)), options));
  const changed = after.capabilities.flatMap((capability) => {
    const old = olds.get(capability.key);
    return old === undefined ? [] : diffCapability(old, capability);
  });
  const added = come.map(toAdded);
  const jobs = diffJobs(old, now);
  const routes = new Map(
    after.capabilities.filter(({ key }) => olds.has(key)).map((each) => [each.key, toRoute(each)]),
  );
  const all = mergeJobChanges([...added, ...removed, ...changed], jobs, (key) => routes.get(key));
  const server = [...diffWire(old.wire, now.wire), ...diffServer(before.bodyLimits, after.bodyLimits)];
  return {
    added: all.filter(({ kind }) => kind === 'added'),
    removed: all.filter(({ kind }) => kind === 'removed'),
    changed: all.filter(({ kind }) => kind === 'changed'),
    server,
    class: worstClass([...all, ...server]),
  };
}

/** Another prefix is one change, and not one of each route. */
function toSamePrefix(old: Contract, now: Contract): readonly [Contract, Contract] {
  const [from, to] = [old.wire?.prefix, now.wire?.prefix];
  if (from === undefined || to === undefined || from === to) return [old, now];
  const capabilities = old.capabilities.map((capability) => {
    const path = capability.path.slice(from.length);
    return capability.path.startsWith(from) ? { ...capability, path: `${to}${path}` } : capability;
  });
  return [{ ...old, capabilities }, now];
}

function diffCapability(before: ManifestCapability, after: ManifestCapability): readonly CapabilityChange[] {
  const changes = findChanges(before, after);
  const worst = worstClass(changes);
  if (worst === undefined) return [];
  return [{ kind: 'changed', key: after.key, class: worst, route: toRoute(after), changes }];
}

/** Worst first. */
function findChanges(before: ManifestCapability, after: ManifestCapability): readonly ContractChange[] {
  return [
    ...diffFacts(before, after),
    ...diffInputs(before, after),
    ...diffSchemas({ before: findOutput(before), after: findOutput(after), direction: 'output' }),
  ].toSorted((a, b) => compareClasses(a.class, b.class));
}

/** The answer of a plain value. */
function findOutput({ answers, output }: ManifestCapability): unknown {
  return (answers[0]?.schema ?? output)?.json;
}

function toAdded(capability: ManifestCapability): CapabilityChange {
  const change = toChange('capability-added', { at: 'route', message: 'was added' });
  return { kind: 'added', key: capability.key, class: change.class, route: toRoute(capability), changes: [change] };
}

/** Whoever calls by HTTP does not see the key: a renamed capability that keeps its route still answers them, as far as it is the same. */
function toRemoved(
  gone: ManifestCapability,
  heir: ManifestCapability | undefined,
  { today }: DiffManifestsOptions,
): CapabilityChange {
  const isOver = today !== undefined && Date.parse(gone.deprecation?.sunset ?? '') <= Date.parse(today);
  const rule = isOver ? 'capability-removed-after-sunset' : 'capability-removed';
  const changes: readonly ContractChange[] =
    heir === undefined
      ? [toChange(rule, { at: 'route', message: 'was removed' })]
      : [
          toChange('capability-renamed', { at: 'key', message: `was removed; \`${heir.key}\` has its route` }),
          ...findChanges(gone, heir).flatMap(toCallersChange),
        ];
  return { kind: 'removed', key: gone.key, class: worstClass(changes) ?? 'safe', route: toRoute(gone), changes };
}

/** The changes that HTTP callers notice: the others must change their code as it is. */
function toCallersChange(change: ContractChange): readonly ContractChange[] {
  return change.audience.includes('http') ? [{ ...change, audience: ['http'] }] : [];
}

function toRoute({ method, path }: ManifestCapability): string {
  return `${method} ${path}`;
}
