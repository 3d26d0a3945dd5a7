import { useEffect, useMemo } from 'react';
import { applySettings } from '../../contract/apply-settings.ts';
import { compare } from '../../contract/compare.ts';
import type { Audience } from '../../contract/rules.ts';
import { type Line, wrapLine } from '../../kit/line.ts';
import { signs } from '../../kit/theme.ts';
import { useKept } from '../../kit/use-kept.ts';
import type { Size } from '../../kit/use-ui.ts';
import { toEnvFiles } from '../../load/env-files.ts';
import { useSettings } from '../../load/settings/use-settings.ts';
import { findContract, type Manifest } from '../../manifest/manifest.ts';
import { toProject } from '../../manifest/project.ts';
import type { RuleSettings } from '../../manifest/rule-settings.ts';
import { useScreen } from '../../screens/use-screen.ts';
import { findCommit } from '../../sides/git/find-commit.ts';
import { loadSide } from '../../sides/load-sides.ts';

/**
 * The changes of the newest code that break callers of the last commit, a sentence for each. Where that cannot be
 * loaded, or until it is, the code counts with which the screen was opened.
 */
export function useContractAlarm(): readonly string[] {
  const { manifest: now } = useScreen().project;
  const [start, setStart] = useKept<Manifest | undefined>('contract', undefined);
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
  const [head, setHead] = useKept<Head>('head', { commit: undefined });
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
      // It is an extra that nobody asked for: no commit, and code that cannot be loaded, are none.
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

/** ``This edit breaks `users.updateUser` for HTTP callers: `email` became required``: all that no setting accepts. */
export function findBreaks(
  before: Manifest | undefined,
  after: Manifest | undefined,
  settings: RuleSettings,
): readonly string[] {
  const [then, now] = [before && findContract(before), after && findContract(after)];
  if (then === undefined || now === undefined || before === after) return [];
  const today = new Date().toISOString().slice(0, 10);
  const { removed, changed } = applySettings(compare(then, now, { today }), settings).diff;
  return [...removed, ...changed].flatMap(({ key, changes }) =>
    changes
      .filter((change) => change.class === 'breaking')
      .map(({ message, audience }) => {
        const callers = audience.map((name) => audienceNames[name]).join(', ');
        return `This edit breaks \`${key}\` for ${callers}: ${message}`;
      }),
  );
}

/** The sentences; where not all have room, the last line says how many there are. */
export function toAlarmLines(
  sentences: readonly string[],
  { columns, rows }: Size,
): readonly Line[] {
  const sign = { text: ` ${signs.warning} `, token: 'warning' } as const;
  const lines = sentences.flatMap((text) => wrapLine([sign, { text, token: 'warning' }], columns));
  if (lines.length <= rows) return lines;
  return [
    ...lines.slice(0, rows - 1),
    [{ text: `   … of ${sentences.length} in all, d opens the diff`, token: 'warning' }],
  ];
}
