import { isSameJson } from '../document/fits-branch.ts';
import type { ApiOperation } from '../document/operations/api-operation.ts';
import { toServers } from '../document/operations/document-operation.ts';
import { recordOf } from '../document/schema-json.ts';
import {
  type ContractChange,
  compareFacts,
  compareMembers,
  toChange,
} from './changes/contract-change.ts';
import { compareCallbacks } from './compare-contents.ts';
import { compareCredentials, compareGuards, compareMiddleware } from './compare-guards.ts';
import { compareInputs } from './compare-inputs.ts';
import { compareErrorBodies, compareErrors, compareResponses } from './compare-responses.ts';
import { compareRoutes } from './compare-routes.ts';
import { compareSent } from './compare-sent.ts';
import type { Side } from './compare-sides.ts';
import { compareUrls } from './match-sides.ts';
import { compareSunsets, toNoticedFacts } from './noticed-facts.ts';

/** Compares everything that callers notice of a capability. What only one of the two says has not changed. */
export function compareOperations(before: Side, after: Side): readonly ContractChange[] {
  const old = before.operation;
  const now = after.operation;
  const credentials = compareCredentials(old, now);
  const isOpen = credentials.some(({ rule }) => rule === 'guard-removed');
  const guards = [...credentials, ...compareGuards(old, now, isOpen)];
  const isSameEnvelope = isSameJson(before.facts?.envelope, after.facts?.envelope);
  const isForeign = old.facts === undefined && old.job === undefined;
  // `toServerFacts` reports another timeout of the server once for all operations.
  const timeoutMs = after.facts?.timeoutMs;
  return [
    ...compareRoutes(old, now),
    ...(isForeign ? compareSent(old, now) : compareInputs(old, now)),
    ...guards,
    ...compareMiddleware(old, now),
    ...compareErrors(old, now, guards.length > 0),
    ...(isSameEnvelope ? compareErrorBodies(old, now) : []),
    ...compareResponses(old, now),
    ...compareFacts(toNoticedFacts(old, timeoutMs), toNoticedFacts(now, timeoutMs)),
    ...compareSunsets(old, now),
    ...(isForeign ? compareForeign(old, now) : []),
    ...compareMembers(toOffers(old), toOffers(now), {
      at: 'offers',
      added: 'offer-added',
      removed: 'offer-removed',
    }),
  ];
}

/** Compares what only documents of others say. */
function compareForeign(old: ApiOperation, now: ApiOperation): readonly ContractChange[] {
  const before = old.operationId;
  const after = now.operationId;
  const isRenamed = before !== undefined && after !== undefined && before !== after;
  const message = `is called \`${after}\` now`;
  const hasServers = old.servers.length + now.servers.length > 0;
  return [
    ...(isRenamed ? [toChange('capability-renamed', { at: 'key', message, before, after })] : []),
    ...(hasServers ? compareUrls(toOwnServers(old), toOwnServers(now)) : []),
    ...compareCallbacks(old, now),
  ];
}

function toOwnServers({ servers, document }: ApiOperation): readonly string[] {
  return servers.length > 0 ? servers : toServers(recordOf(document)['servers']);
}

function toOffers({ facts }: ApiOperation): readonly string[] {
  const { resources = [], prompt } = facts?.offers ?? {};
  return [
    ...resources.map(({ uri }) => `resource \`${uri}\``),
    ...(prompt === undefined ? [] : [`prompt \`${prompt}\``]),
  ];
}
