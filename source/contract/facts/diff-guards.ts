import type { SecurityScheme } from '../../../server-runtime/capability/guard.ts';
import { toErrorText } from '../../manifest/declared-error.ts';
import type { ManifestGuard, ManifestOperation } from '../../manifest/manifest.ts';
import type { ContractChange } from '../contract-change.ts';
import { toChange } from '../rules/to-change.ts';
import { toCredential, toScopes } from './credential.ts';

type Step = Omit<ManifestGuard, 'security'> & Pick<ManifestGuard, 'security'>;

/** Guards by what they ask of those who call: how they are called is nobody's affair. */
export function diffGuards(before: ManifestOperation, after: ManifestOperation): readonly ContractChange[] {
  const [olds, news] = pairGuards(toSteps(before), toSteps(after));
  const credentials = diffCredentials(before, after);
  const isPublic = toSteps(before).length === 0;
  const texts = { at: 'guards', before: toList(toSteps(before)), after: toList(toSteps(after)) } as const;
  const isSaid = ({ security }: Step): boolean => security !== undefined && credentials.length > 0;
  // Of two that say nothing of themselves, one in the place of the other.
  const [oldMute, newMute] = [olds.filter(isMute), news.filter(isMute)];
  const replaced = Math.min(oldMute.length, newMute.length);
  const swapped = newMute
    .slice(0, replaced)
    .map((step, index) =>
      toChange('guard-replaced', { ...texts, message: `guard \`${oldMute[index]?.name}\` is \`${step.name}\` now` }),
    );
  const added = news
    .filter((step) => !newMute.slice(0, replaced).includes(step) && !isSaid(step))
    .map(({ name }) =>
      toChange(isPublic ? 'first-guard-added' : 'guard-added', { ...texts, message: `guard \`${name}\` was added` }),
    );
  const isOpen = toSteps(after).length === 0;
  const removed = olds
    .filter((step) => !oldMute.slice(0, replaced).includes(step) && !isSaid(step))
    .map(({ name }) =>
      toChange(isOpen ? 'last-guard-removed' : 'guard-removed', { ...texts, message: `guard \`${name}\` was removed` }),
    );
  return [...credentials, ...swapped, ...added, ...removed];
}

function toSteps({ guards, inputGuards }: ManifestOperation): readonly Step[] {
  return [...guards, ...inputGuards];
}

function toList(steps: readonly Step[]): string {
  return steps.length === 0 ? 'public' : steps.map(({ name }) => name).join(', ');
}

function isMute({ security, errors }: Step): boolean {
  return security === undefined && errors.length === 0;
}

/** The guards of each side that have no counterpart on the other: first by name and what they ask, then by what they ask, then by name. */
function pairGuards(olds: readonly Step[], news: readonly Step[]): readonly [readonly Step[], readonly Step[]] {
  let left: readonly [readonly Step[], readonly Step[]] = [olds, news];
  for (const toKey of [(step: Step) => `${step.name} ${toAsked(step)}`, toAskedOrNothing, (step: Step) => step.name])
    left = withoutPairs(left, toKey);
  return left;
}

function toAsked({ security, errors }: Step): string {
  return JSON.stringify([security && toCredential(security), errors.map(toErrorText).toSorted()]);
}

function toAskedOrNothing(step: Step): string | undefined {
  return isMute(step) ? undefined : toAsked(step);
}

function withoutPairs(
  [olds, news]: readonly [readonly Step[], readonly Step[]],
  toKey: (step: Step) => string | undefined,
): readonly [readonly Step[], readonly Step[]] {
  const left = [...olds];
  const come = news.filter((step) => {
    const key = toKey(step);
    const index = key === undefined ? -1 : left.findIndex((old) => toKey(old) === key);
    if (index !== -1) left.splice(index, 1);
    return index === -1;
  });
  return [left, come];
}

/** Compares the credentials that callers must send. */
function diffCredentials(before: ManifestOperation, after: ManifestOperation): readonly ContractChange[] {
  const [olds, news] = [findSchemes(before), findSchemes(after)];
  const [old, now] = [[...new Set(olds.map(toCredential))], [...new Set(news.map(toCredential))]];
  const gone = old.filter((credential) => !now.includes(credential));
  const come = now.filter((credential) => !old.includes(credential));
  const texts = { at: 'guards', before: old.join(' and ') || 'none', after: now.join(' and ') || 'none' };
  const scopes = diffScopes([olds.flatMap(toScopes), news.flatMap(toScopes)]);
  if (gone.length > 0 && come.length > 0)
    return [
      toChange('credential-changed', {
        ...texts,
        message: `the credential is ${come.join(' and ')} now, it was ${gone.join(' and ')}`,
      }),
      ...scopes,
    ];
  return [
    ...come.map((credential) =>
      toChange('credential-added', { ...texts, message: `the credential ${credential} is asked for` }),
    ),
    ...gone.map((credential) =>
      toChange('credential-removed', { ...texts, message: `the credential ${credential} is not asked for any more` }),
    ),
    ...scopes,
  ];
}

function findSchemes({ guards }: ManifestOperation): readonly SecurityScheme[] {
  return guards.flatMap(({ security }) => security ?? []);
}

function diffScopes([old, now]: readonly [readonly string[], readonly string[]]): readonly ContractChange[] {
  const texts = { at: 'guards', before: old.join(', ') || 'none', after: now.join(', ') || 'none' };
  return [
    ...now
      .filter((scope) => !old.includes(scope))
      .map((scope) => toChange('scope-added', { ...texts, message: `the scope \`${scope}\` is asked for` })),
    ...old
      .filter((scope) => !now.includes(scope))
      .map((scope) =>
        toChange('scope-removed', { ...texts, message: `the scope \`${scope}\` is not asked for any more` }),
      ),
  ];
}
