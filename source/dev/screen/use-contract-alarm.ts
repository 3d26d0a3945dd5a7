import { useEffect, useMemo } from 'react';
import type { Audience } from '../../contract/changes/contract-change.ts';
import { compare } from '../../contract/compare.ts';
import { applySettings } from '../../contract/summary/apply-settings.ts';
import { type ChangeGroup, groupChanges } from '../../contract/summary/group-changes.ts';
import { type Line, wrapLine } from '../../kit/line.ts';
import { textWidth } from '../../kit/text.ts';
import { signs } from '../../kit/theme.ts';
import { useMemory } from '../../kit/use-memory.ts';
import type { Size } from '../../kit/use-ui.ts';
import { toEnvFiles } from '../../load/env-files.ts';
import { useSettings } from '../../load/settings/use-settings.ts';
import { findContract, type Manifest } from '../../manifest/manifest.ts';
import { toProject } from '../../manifest/project.ts';
import type { RuleSettings } from '../../manifest/rule-settings.ts';
import { useScreen } from '../../screens/use-screen.ts';
import { findCommit } from '../../sides/git/find-commit.ts';
import { loadSide } from '../../sides/load-sides.ts';

/** A change that breaks callers, once, whatever it reaches. */
interface Break {
  /** ``This edit breaks `users.updateUser` for HTTP callers: `email` became required`` */
  readonly sentence: string;
  /** ```users.updateUser`: `email` became required``, or `` `User.email` was removed (199)`` of a component. */
  readonly clause: string;
}

/**
 * The changes of the newest code that break callers of the last commit, the widest first. Where that cannot be
 * loaded, or until it is, the code counts with which the screen was opened.
 */
export function useContractAlarm(): readonly Break[] {
  const { manifest: now } = useScreen().project;
  const [start, setStart] = useMemory<Manifest | undefined>('contract', undefined);
  useEffect(() => {
    if (start === undefined && now !== undefined) setStart(now);
  }, [start, setStart, now]);
  const before = useHeadManifest(now) ?? start;
  const { diff: settings } = useSettings(now?.project.root);
  return useMemo(() => findBreaks(before, now, settings), [before, now, settings]);
}

type Head = { readonly commit: string | undefined; readonly manifest?: Manifest | undefined };

/** The contract of the last commit, which is looked for with each save. */
function useHeadManifest(now: Manifest | undefined): Manifest | undefined {
  const { terminal, envFile, entry } = useScreen();
  const { memory } = entry;
  const [head, setHead] = useMemory<Head>('head', { commit: undefined });
  useEffect(() => {
    const { root, config } = now?.project ?? {};
    if (root === undefined || config === undefined) return;
    const isRead = (commit: string | undefined): boolean =>
      (memory.get('head') as Head | undefined)?.commit === commit;
    void findCommit('HEAD', root).then(async (commit) => {
      if (isRead(commit)) return;
      memory.set('head', { ...head, commit } satisfies Head);
      const envFiles = toEnvFiles(root, { envFile, workingDirectory: terminal.workingDirectory() });
      const project = toProject({ root, name: 'HEAD', config });
      const options = { project, workingDirectory: root, toEnvFiles: () => envFiles };
      // The alarm is an extra that nobody requested: without a commit, or where its code cannot be loaded, there is
      // none.
      const side = await loadSide('HEAD', options).catch(() => undefined);
      if (isRead(commit)) setHead({ commit, manifest: side?.manifest });
    });
    // oxlint-disable-next-line react/exhaustive-deps -- Once for each load of the code.
  }, [now]);
  return head.manifest;
}

const audienceNames: Readonly<Record<Audience, string>> = {
  http: 'HTTP callers',
  client: 'the typed client',
  agents: 'agents',
  jobs: 'jobs',
};

/** Finds all that breaks callers and that no setting accepts. */
export function findBreaks(
  before: Manifest | undefined,
  after: Manifest | undefined,
  settings: RuleSettings,
): readonly Break[] {
  const [then, now] = [before && findContract(before), after && findContract(after)];
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

/** The one change as a sentence, or several in one line, as many as have room. */
export function toAlarmLines(breaks: readonly Break[], { columns, rows }: Size): readonly Line[] {
  const [first, ...others] = breaks;
  if (first === undefined) return [];
  const toLine = (text: string): Line => [
    { text: ` ${signs.warning} `, token: 'warning' },
    { text, token: 'warning' },
  ];
  if (others.length === 0) return wrapLine(toLine(first.sentence), columns).slice(0, rows);
  const clauses = breaks.map(({ clause }) => clause);
  for (let shown = breaks.length; shown > 0; shown -= 1) {
    const text = `This edit breaks: ${clauses.slice(0, shown).join(' · ')}${toRest(breaks.length - shown)}`;
    if (textWidth(text) <= columns - 3) return [toLine(text)];
  }
  return [toLine(`This edit breaks ${breaks.length} things, d shows them`)];
}

function toRest(count: number): string {
  return count === 0 ? '' : ` · ${count} more, d shows them`;
}
