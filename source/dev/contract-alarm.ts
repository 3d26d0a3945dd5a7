import { diffManifests } from '../contract/diff-manifests.ts';
import type { Audience } from '../contract/contract-change.ts';
import type { Manifest } from '../project/manifest.ts';

const audienceNames: Readonly<Record<Audience, string>> = { http: 'HTTP callers', client: 'the typed client', agents: 'agents' };

/**
 * What the code as it is now breaks of the contract as it was, a sentence for each change:
 * ``This edit breaks `users.updateUser` for HTTP callers: `email` became required``. Empty where nothing breaks.
 */
export function toContractAlarm(before: Manifest | undefined, after: Manifest | undefined): readonly string[] {
  if (before === undefined || after === undefined || before === after) return [];
  const { removed, changed } = diffManifests(before, after);
  return [...removed, ...changed].flatMap(({ key, changes }) =>
    changes
      .filter((change) => change.class === 'breaking')
      .map(({ message, audience }) => `This edit breaks \`${key}\` for ${audience.map((name) => audienceNames[name]).join(', ')}: ${message}`),
  );
}
