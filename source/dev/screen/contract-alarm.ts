import { applySettings } from '../../contract/apply-settings.ts';
import { compare } from '../../contract/compare.ts';
import type { Audience } from '../../contract/contract-change.ts';
import type { Manifest } from '../../manifest/manifest.ts';
import { findContract } from '../../manifest/manifest.ts';
import type { RuleSettings } from '../../manifest/rule-settings.ts';

const audienceNames: Readonly<Record<Audience, string>> = {
  http: 'HTTP callers',
  client: 'the typed client',
  agents: 'agents',
  jobs: 'jobs',
};

/** The contracts that an edit may not break. Each is missing where it is not known. */
export interface ContractBaselines {
  /** As the code was when the screen was opened. */
  readonly start: Manifest | undefined;
  /** As it is in the last commit. */
  readonly head: Manifest | undefined;
}

/** The decisions of the project about differences, and the day (ISO) on which they count. */
export interface AlarmSettings {
  readonly settings: RuleSettings;
  readonly today: string;
}

/** A change that breaks callers. */
export interface ContractBreak {
  /** The same for the same change, whichever contract it breaks. */
  readonly id: string;
  readonly sentence: string;
}

/**
 * The breaks of the code as it is now, a sentence for each change: ``This edit breaks `users.updateUser` for HTTP
 * callers: `email` became required``. What was broken before the screen was opened is told as a break since the last
 * commit. Empty where nothing breaks that the project does not accept.
 */
export function toContractAlarm(
  { start, head }: ContractBaselines,
  now: Manifest | undefined,
  judge: AlarmSettings,
): readonly ContractBreak[] {
  if (now === undefined) return [];
  const edits = findBreaks(start, now, judge);
  const sinceCommit = findBreaks(head, now, judge).filter((text) => !edits.includes(text));
  return [
    ...edits.map((id) => ({ id, sentence: `This edit breaks ${id}` })),
    ...sinceCommit.map((id) => ({ id, sentence: `Broken since the last commit: ${id}` })),
  ];
}

function findBreaks(
  before: Manifest | undefined,
  after: Manifest,
  { settings, today }: AlarmSettings,
): readonly string[] {
  if (before === undefined || before === after) return [];
  const [then, now] = [findContract(before), findContract(after)];
  if (then === undefined || now === undefined) return [];
  const { removed, changed } = applySettings(compare(then, now, { today }), settings).diff;
  return [...removed, ...changed].flatMap(({ key, changes }) =>
    changes
      .filter((change) => change.class === 'breaking')
      .map(
        ({ message, audience }) =>
          `\`${key}\` for ${audience.map((name) => audienceNames[name]).join(', ')}: ${message}`,
      ),
  );
}
