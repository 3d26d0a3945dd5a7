import { useEffect, useMemo } from 'react';
import type { Audience } from '../../contract/changes/rule.ts';
import { compare } from '../../contract/compare.ts';
import { applySettings } from '../../contract/summary/apply-settings.ts';
import { type ChangeGroup, groupChanges } from '../../contract/summary/group-changes.ts';
import { useMemory } from '../../kit/use-memory.ts';
import { useSettings } from '../../load/settings/use-settings.ts';
import { findContract, type Manifest } from '../../manifest/manifest.ts';
import type { RuleSettings } from '../../manifest/rule-settings.ts';
import { useProject } from '../../screens/use-screen.ts';
import { useHeadContract } from './use-head-contract.ts';

/** A change that breaks callers, once, whatever it reaches. */
export interface Break {
  /** ``This edit breaks `users.updateUser` for HTTP callers: `email` became required`` */
  readonly sentence: string;
  /** ```users.updateUser`: `email` became required``, or `` `User.email` was removed (199)`` of a component. */
  readonly clause: string;
}

/** The changes that break callers, and the key that lays them aside. */
export interface ContractAlarm {
  readonly breaks: readonly Break[];
  /** The user has seen them, and does not want to see them until there are others. */
  readonly isAside: boolean;
  readonly fold: () => void;
}

/**
 * The changes of the newest code that break callers of the last commit, the widest first; none until that is loaded.
 * Where it cannot be, the code counts with which the screen was opened.
 */
export function useContractAlarm(): ContractAlarm {
  const { manifest } = useProject().project;
  const [start, setStart] = useMemory<Manifest | undefined>('contract', undefined);
  const [aside, setAside] = useMemory('alarm aside', '');
  useEffect(() => {
    if (start === undefined && manifest !== undefined) setStart(manifest);
  }, [start, setStart, manifest]);
  const head = useHeadContract();
  const { diff: settings } = useSettings(manifest?.project.root);
  const breaks = useMemo(() => {
    if (head === undefined) return [];
    return findBreaks(head.manifest ?? start, head.now, settings);
  }, [head, start, settings]);
  const text = JSON.stringify(breaks);
  return { breaks, isAside: aside === text, fold: () => setAside(aside === text ? '' : text) };
}

const audienceNames: Readonly<Record<Audience, string>> = {
  http: 'HTTP callers',
  client: 'the typed client',
  agents: 'agents',
  jobs: 'jobs',
  graphql: 'callers of GraphQL',
};

/** Finds all that breaks callers and that no setting accepts. */
export function findBreaks(
  before: Manifest | undefined,
  after: Manifest | undefined,
  settings: RuleSettings,
): readonly Break[] {
  const then = before && findContract(before);
  const now = after && findContract(after);
  if (then === undefined || now === undefined || before === after) return [];
  const today = new Date().toISOString().slice(0, 10);
  const { diff } = applySettings(compare(then, now, { today }), settings);
  return groupChanges({ ...diff, added: [], server: [] })
    .filter(({ change }) => change.class === 'breaking')
    .map(toBreak);
}

function toBreak({ change, message, places }: ChangeGroup): Break {
  const callers = change.audience.map((name) => audienceNames[name]).join(', ');
  const count = new Set(places.map(({ key }) => key)).size;
  const key = `\`${places[0]?.key}\``;
  return count > 1
    ? {
        sentence: `This edit breaks ${count} capabilities for ${callers}: ${message}`,
        clause: `${message} (${count})`,
      }
    : {
        sentence: `This edit breaks ${key} for ${callers}: ${change.message}`,
        clause: `${key}: ${change.message}`,
      };
}
