import { isSameJson } from '../document/accepts.ts';
import type { ApiOperation } from '../document/api-operation.ts';
import type { Side } from './compare.ts';
import { compareFacts, compareMembers, compareSunsets, toOperationFactList } from './compare-facts.ts';
import { compareCredentials, compareGuards } from './compare-guards.ts';
import { compareInputs } from './compare-inputs.ts';
import { compareErrors, compareResponses } from './compare-responses.ts';
import { compareRoutes } from './compare-routes.ts';
import type { ContractChange } from './contract-change.ts';

/** Compares everything that callers notice of a capability. What only one of the two says has not changed. */
export function compareOperations(before: Side, after: Side): readonly ContractChange[] {
  const [old, now] = [before.operation, after.operation];
  const guards = [...compareCredentials(old, now), ...compareGuards(old, now)];
  const isSameEnvelope = isSameJson(before.facts?.envelope, after.facts?.envelope);
  // A timeout of the server is a change of all.
  const timeoutMs = after.facts?.timeoutMs;
  return [
    ...compareRoutes(old, now),
    ...compareInputs(old, now),
    ...guards,
    ...compareErrors(old, now, { isGuarded: guards.length > 0, isSameEnvelope }),
    ...compareResponses(old, now),
    ...compareFacts(toOperationFactList(old, timeoutMs), toOperationFactList(now, timeoutMs)),
    ...compareSunsets(old, now),
    ...compareMembers(toOffers(old), toOffers(now), { at: 'offers', rules: ['offer-added', 'offer-removed'] }),
  ];
}

function toOffers({ facts }: ApiOperation): readonly string[] {
  const { resources = [], prompt } = facts?.offers ?? {};
  return [
    ...resources.map(({ uri }) => `resource \`${uri}\``),
    ...(prompt === undefined ? [] : [`prompt \`${prompt}\``]),
  ];
}
