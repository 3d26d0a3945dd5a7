import { useEffect, useEffectEvent, useMemo } from 'react';
import type { Audience } from '../../contract/changes/rule.ts';
import { compare } from '../../contract/compare.ts';
import { applySettings } from '../../contract/summary/apply-settings.ts';
import { type ChangeGroup, groupChanges } from '../../contract/summary/group-changes.ts';
import { useMemory, usePolled } from '../../kit/use-ui.ts';
import { toEnvFiles } from '../../load/env-files.ts';
import { useSettings } from '../../load/settings/use-settings.ts';
import { findContract, type Manifest } from '../../manifest/manifest.ts';
import { toProject } from '../../manifest/project.ts';
import type { RuleSettings } from '../../manifest/rule-settings.ts';
import { type Services, useNavigation, useProject, useServices } from '../../screens/use-screen.ts';
import { createHeadStamp, findCommit } from '../../sides/git/find-commit.ts';
import { loadSide } from '../../sides/load-sides.ts';

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

/** The contract of the last commit, and the code that was held against it. */
interface HeadContract {
  /** Undefined where there is no commit. */
  readonly commit: string | undefined;
  /** Undefined without a commit, or where its code cannot be loaded. */
  readonly manifest: Manifest | undefined;
  /** The code of the last save. */
  readonly now: Manifest;
}

/**
 * The contract of the last commit, which is looked for after each save, and where a commit, a checkout or a reset has
 * moved HEAD; undefined until its code is loaded. The code of a save counts once the commit is known that it is
 * compared with: a checkout changes both.
 */
function useHeadContract(): HeadContract | undefined {
  const services = useServices();
  const { manifest: now } = useProject().project;
  const { memory } = useNavigation().entry;
  const [head, setHead] = useMemory<HeadContract | undefined>('head', undefined);
  const stamp = useHeadStamp(now?.project.root);
  const look = useEffectEvent(async (code: Manifest, signal: AbortSignal): Promise<void> => {
    const show = (next: HeadContract | undefined): void => {
      if (!signal.aborted) setHead(next);
    };
    const commit = await findCommit('HEAD', code.project.root);
    const last = memory.get('head') as HeadContract | undefined;
    if (last !== undefined && last.commit === commit) return show({ ...last, now: code });
    show(undefined);
    const manifest = await loadHead(code, services);
    show({ commit, manifest, now: code });
  });
  // Once for each load of the code and each move of HEAD.
  useEffect(() => {
    if (now === undefined) return;
    const stop = new AbortController();
    void look(now, stop.signal);
    return () => stop.abort();
  }, [now, stamp]);
  return head;
}

/** Another text after each move of HEAD. */
function useHeadStamp(root: string | undefined): string {
  const look = useMemo(() => (root === undefined ? findNoStamp : createLook(root)), [root]);
  return usePolled(look, '');
}

const findNoStamp = async (): Promise<string> => '';

/** Looks for the files of git with the first look, since the screen is drawn before. */
function createLook(root: string): () => Promise<string> {
  let reader: ReturnType<typeof createHeadStamp> | undefined;
  return async () => {
    reader ??= createHeadStamp(root);
    const read = await reader;
    return read === undefined ? '' : read();
  };
}

/** The alarm is an extra: without a commit, or where its code cannot be loaded, there is none. */
async function loadHead(
  now: Manifest,
  { terminal, envFile }: Services,
): Promise<Manifest | undefined> {
  const { root, config } = now.project;
  const envFiles = toEnvFiles(root, { envFile, workingDirectory: terminal.workingDirectory() });
  const project = toProject({ root, name: 'HEAD', config });
  const options = { project, workingDirectory: root, toEnvFiles: () => envFiles };
  const side = await loadSide('HEAD', options).catch(() => undefined);
  return side?.manifest;
}
