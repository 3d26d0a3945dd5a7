import type { Audience } from '../../contract/contract-change.ts';
import { diffManifests } from '../../contract/diff-manifests.ts';
import type { Manifest } from '../../manifest/manifest.ts';

const audienceNames: Readonly<Record<Audience, string>> = {
  http: 'HTTP callers',
  client: 'the typed client',
  agents: 'agents',
};

/** The contracts that an edit may not break. Each is missing where it is not known. */
export interface ContractBaselines {
  /** As the code was when the screen was opened. */
  readonly start: Manifest | undefined;
  /** As it is in the last commit. */
  readonly head: Manifest | undefined;
}

/**
 * The breaks of the code as it is now, a sentence for each change:
 * ``This edit breaks `users.updateUser` for HTTP callers: `email` became required``. What was broken before the screen was opened is told as
 * a break since the last commit. Empty where nothing breaks.
 */
export function toContractAlarm({ start, head }: ContractBaselines, now: Manifest | undefined): readonly string[] {
  if (now === undefined) return [];
  const edits = findBreaks(start, now);
  const sinceCommit = findBreaks(head, now).filter((text) => !edits.includes(text));
  return [
    ...edits.map((text) => `This edit breaks ${text}`),
    ...sinceCommit.map((text) => `Since the last commit broken: ${text}`),
  ];
}

function findBreaks(before: Manifest | undefined, after: Manifest): readonly string[] {
  if (before === undefined || before === after) return [];
  const { removed, changed } = diffManifests(before, after);
  return [...removed, ...changed].flatMap(({ key, changes }) =>
    changes
      .filter((change) => change.class === 'breaking')
      .map(
        ({ message, audience }) =>
          `\`${key}\` for ${audience.map((name) => audienceNames[name]).join(', ')}: ${message}`,
      ),
  );
}
