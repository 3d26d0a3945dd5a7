import type { CapabilityChange, ContractDiff } from '../contract/contract-change.ts';
import { diffManifests } from '../contract/diff-manifests.ts';
import { applySettings } from '../contract/rules/apply-settings.ts';
import type { Line } from '../kit/line/line.ts';
import type { Symbols } from '../kit/theme/tokens.ts';
import type { Manifest } from '../manifest/manifest.ts';
import type { RuleSettings } from '../manifest/settings/rule-settings.ts';

/** The difference between the code as it is now and the last commit. */
export type SinceHead =
  /** It was not looked yet. */
  | { readonly kind: 'unknown' }
  /** There is no commit to compare with. */
  | { readonly kind: 'none' }
  | {
      readonly kind: 'files';
      readonly count: number;
      /** `comparing` while the code of the commit is loaded; `failed` where it cannot be. */
      readonly contract: 'comparing' | 'failed' | ContractCount;
    };

/** The capabilities that differ, by the worst that this does to callers. */
export interface ContractCount {
  readonly breaking: number;
  readonly risky: number;
  readonly safe: number;
  /** ``orders.getOrder: `unit` was added, required`` for each break that the project does not accept. */
  readonly breaks: readonly string[];
}

/** The decisions of the project about differences, and the day (ISO) on which they count. */
export interface DiffJudge {
  readonly settings: RuleSettings;
  readonly today: string;
}

export function toContractCount(head: Manifest, now: Manifest, { settings, today }: DiffJudge): ContractCount {
  const changes = toChanges(applySettings(diffManifests(head, now, { today }), settings).diff);
  const count = (wanted: CapabilityChange['class']): number => changes.filter((one) => one.class === wanted).length;
  return {
    breaking: count('breaking'),
    risky: count('risky'),
    safe: count('safe'),
    breaks: changes.flatMap(toBreaks),
  };
}

function toBreaks({ key, changes }: CapabilityChange): readonly string[] {
  return changes.filter((change) => change.class === 'breaking').map(({ message }) => `${key}: ${message}`);
}

function toChanges({ added, removed, changed }: ContractDiff): readonly CapabilityChange[] {
  return [...removed, ...changed, ...added];
}

/** The difference in a line. */
export function toSinceHeadLine(since: SinceHead, symbols: Symbols): Line {
  if (since.kind === 'unknown') return [];
  if (since.kind === 'none') return [{ text: 'no commit to compare with', token: 'muted' }];
  const { count, contract } = since;
  if (count === 0) return [{ text: `${symbols.tick} nothing changed`, token: 'success' }];
  const files = { text: count === 1 ? '1 file changed' : `${count} files changed` };
  if (contract === 'comparing') return [files, { text: ', comparing', token: 'muted' }];
  if (contract === 'failed') return [files, { text: ', the commit does not load', token: 'muted' }];
  return [files, ...toCountLine(contract)];
}

/** The same without the number of files, where callers notice something. */
export function toShorterLines(since: SinceHead): readonly Line[] {
  if (since.kind !== 'files' || typeof since.contract !== 'object') return [];
  const { breaking, risky, safe } = since.contract;
  return breaking + risky + safe === 0 ? [] : [toCountLine(since.contract).slice(1)];
}

function toCountLine({ breaking, risky, safe }: ContractCount): Line {
  if (breaking + risky + safe === 0) return [{ text: ', nothing for callers', token: 'muted' }];
  const parts: Line = [
    ...(breaking > 0 ? [{ text: `${breaking} breaking`, token: 'danger' as const }] : []),
    ...(risky > 0 ? [{ text: `${risky} risky`, token: 'warning' as const }] : []),
    ...(safe > 0 ? [{ text: `${safe} safe`, token: 'success' as const }] : []),
  ];
  return parts.flatMap((part) => [{ text: ', ' }, part]);
}
