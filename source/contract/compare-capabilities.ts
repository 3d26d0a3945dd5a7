import type { CapabilityChange, ContractChange } from './changes/contract-change.ts';
import { toChange } from './changes/rules.ts';
import { compareOperations } from './compare-operations.ts';
import { compareShadows, toRouteShape, toRoutes } from './compare-routes.ts';
import { compareSides, type Side, type SideLists, type Steps } from './compare-sides.ts';
import type { IsSameOperation } from './same-operations.ts';

interface CapabilityOptions {
  /** An ISO date. */
  readonly today: string | undefined;
  readonly isSame: IsSameOperation;
}

/** Compares the capabilities of two documents, of which most are the same. */
export function* compareCapabilities(
  { older, newer }: SideLists,
  { today, isSame }: CapabilityOptions,
): Steps<readonly CapabilityChange[]> {
  const keys = new Set(older.map(({ key }) => key));
  const byShape = new Map(
    newer.filter(({ key }) => !keys.has(key)).map((side) => [toRouteShape(side.operation), side]),
  );
  const shapes = new Set(older.flatMap(({ operation }) => toRoutes(operation).map(toRouteShape)));
  const newRoutes = newer
    .flatMap(({ key, operation }) => toRoutes(operation).map((route) => ({ key, route })))
    .filter(({ route }) => !shapes.has(toRouteShape(route)));
  return yield* compareSides(
    { older, newer },
    {
      added: toChange('capability-added', { at: 'route', message: 'was added' }),
      toRemoved: (old) => {
        const successor = byShape.get(toRouteShape(old.operation));
        return successor === undefined ? [toRemoval(old, today)] : toRenaming(old, successor);
      },
      toChanges: (old, now) => [
        ...(isSame(old.operation, now.operation) ? [] : compareOperations(old, now)),
        ...compareShadows(now, newRoutes),
      ],
    },
  );
}

function toRemoval({ operation }: Side, today = ''): ContractChange {
  const isOver = Date.parse(operation.facts?.deprecation?.sunset ?? '') <= Date.parse(today);
  const found = isOver ? 'risky' : undefined;
  return toChange('capability-removed', { at: 'route', message: 'was removed', class: found });
}

/** HTTP callers do not see a key: a renamed capability that keeps its route still answers them. */
function toRenaming(old: Side, successor: Side): readonly ContractChange[] {
  const message = `was removed; \`${successor.key}\` has its route`;
  return [
    toChange('capability-renamed', { at: 'key', message }),
    ...compareOperations(old, successor).flatMap((change): readonly ContractChange[] =>
      change.audience.includes('http') ? [{ ...change, audience: ['http'] }] : [],
    ),
  ];
}
