import { isSameJson } from '../document/accepts.ts';
import type { ApiOperation } from '../document/api-operation.ts';
import { toOperationFactList } from './caller-facts.ts';
import type { Side } from './compare.ts';
import { compareFacts, compareMembers } from './compare-facts.ts';
import { compareCredentials, compareGuards } from './compare-guards.ts';
import { compareInputs, compareOwnChecks } from './compare-inputs.ts';
import { compareErrors, compareResponses } from './compare-responses.ts';
import { compareRoutes } from './compare-routes.ts';
import { compareSchemas } from './compare-schemas.ts';
import type { ContractChange } from './contract-change.ts';

/** Compares everything that callers notice of a capability. What only one of the two says has not changed. */
export function compareOperations(old: Side, now: Side): readonly ContractChange[] {
  const [before, after] = [old.operation, now.operation];
  const guards = [...compareCredentials(before, after), ...compareGuards(before, after)];
  const isSameEnvelope = isSameJson(old.facts?.envelope, now.facts?.envelope);
  const timeoutMs = now.facts?.timeoutMs;
  return [
    ...compareRoutes(old, now),
    ...compareInputs(before, after),
    ...guards,
    ...compareErrors(before, after, { isGuarded: guards.length > 0, isSameEnvelope }),
    ...compareResponses(before, after),
    // A timeout of the server is a change of all.
    ...compareFacts(toOperationFactList(before, timeoutMs), toOperationFactList(after, timeoutMs)),
    ...compareMembers(toOffers(before), toOffers(after), {
      at: 'offers',
      added: 'offer-added',
      removed: 'offer-removed',
    }),
  ];
}

function toOffers({ facts }: ApiOperation): readonly string[] {
  const { resources = [], prompt } = facts?.offers ?? {};
  return [
    ...resources.map(({ uri }) => `resource \`${uri}\``),
    ...(prompt === undefined ? [] : [`prompt \`${prompt}\``]),
  ];
}

/** Compares all that the code notices which adds jobs, and those that wait: nobody reads what a job gives. */
export function compareJobs({ operation: old }: Side, { operation: now }: Side): readonly ContractChange[] {
  const guards = compareGuards(old, now);
  const shared = [
    ...compareSchemas(old.input(), now.input(), { at: 'input', direction: 'input' }),
    ...compareOwnChecks(old, now),
    ...guards,
    ...compareErrors(old, now, { isGuarded: guards.length > 0, isSameEnvelope: true }),
    ...compareFacts(toOperationFactList(old), toOperationFactList(now)),
  ];
  return shared.map((change): ContractChange => ({ ...change, audience: ['jobs'] }));
}
