import { type DeclaredError, findDeclaredErrors, toErrorText } from '../../manifest/declared-error.ts';
import type { ManifestOperation } from '../../manifest/manifest.ts';
import type { ContractChange } from '../contract-change.ts';
import { toChange } from '../rules/to-change.ts';

type Declaring = Pick<ManifestOperation, 'guards' | 'inputGuards' | 'enhancers' | 'errors'>;

/** Errors that a guard brings or takes with it are told with the guard. */
export function diffErrors(before: Declaring, after: Declaring): readonly ContractChange[] {
  const old = findDeclaredErrors(before);
  const now = findDeclaredErrors(after);
  const texts = { at: 'errors', before: toErrorList(old), after: toErrorList(now) } as const;
  const added = withoutErrors(findDeclaredErrors(withSharedGuards(after, before)), old).map((error) =>
    toChange('error-added', { ...texts, message: `error \`${error}\` was added` }),
  );
  const removed = withoutErrors(findDeclaredErrors(withSharedGuards(before, after)), now).map((error) =>
    toChange('error-removed', { ...texts, message: `error \`${error}\` was removed` }),
  );
  return [...added, ...removed];
}

function withSharedGuards(capability: Declaring, other: Declaring): Declaring {
  const names = new Set([...other.guards, ...other.inputGuards].map(({ name }) => name));
  const { guards, inputGuards } = capability;
  return {
    ...capability,
    guards: guards.filter(({ name }) => names.has(name)),
    inputGuards: inputGuards.filter(({ name }) => names.has(name)),
  };
}

function withoutErrors(errors: readonly DeclaredError[], others: readonly DeclaredError[]): readonly string[] {
  const known = new Set([...ofEveryCapability, ...others.map(toErrorText)]);
  return errors.map(toErrorText).filter((text) => !known.has(text));
}

/** Any call may end in these, whether they are declared or not. */
const ofEveryCapability = ['500 Internal', '504 Timeout'] as const;

function toErrorList(errors: readonly DeclaredError[]): string {
  return errors.length === 0 ? 'none' : errors.map(toErrorText).join(', ');
}
