import { checkProject } from '../check/check-project.ts';
import { loadCheckedManifest } from '../check/rules/load-checked-manifest.ts';
import type { PlainProps } from '../cli/command.ts';
import { toJsonOutput } from '../cli/json-output.ts';
import { readHomeFacts } from '../home/home-facts.ts';
import { toHomeRows } from '../home/home-rows.ts';
import { toLineText } from '../kit/line.ts';
import { loadRegistry } from '../load/load-registry.ts';
import { initialProjectState } from '../load/project-state.ts';
import { readSettings } from '../load/settings/read-settings.ts';
import { findChangedFiles } from '../sides/git/find-commit.ts';
import { stripControl } from '../terminal/strip-control.ts';
import type { HomeValues } from './home-command.ts';

/** Writes what the first screen shows. */
export async function writeHome({
  options,
  terminal,
}: Pick<PlainProps<HomeValues>, 'options' | 'terminal'>): Promise<void> {
  const { json } = options;
  const loaded = await loadRegistry({ ...options, withFaults: true }, terminal);
  const manifest = await loadCheckedManifest(loaded);
  const { root } = loaded.project;
  const { problems } = checkProject(manifest, { settings: readSettings(root).check });
  const facts = await readHomeFacts(root);
  const changedFiles = await findChangedFiles(root);
  const project = { ...initialProjectState, manifest };
  const rows = toHomeRows({ project, findings: problems, facts, changedFiles });
  const servers =
    facts.server === null || facts.server === undefined
      ? []
      : [facts.server, ...facts.otherServers];
  if (!json) return terminal.writeOut(toHomeText(rows));
  const data = {
    capabilityCount: manifest.keys.length,
    errorCount: problems.filter(({ severity }) => severity === 'error').length,
    warningCount: problems.filter(({ severity }) => severity === 'warning').length,
    servers: servers.flatMap(({ urls }) => urls),
    changedFiles,
  };
  terminal.writeOut(toJsonOutput(data));
}

/** The rows but for those that lead on. Enter is a key of the screen. */
function toHomeText(rows: ReturnType<typeof toHomeRows>): string {
  const lines = rows
    .filter(({ id }) => !id.startsWith('way '))
    .map(({ line }) =>
      toLineText(line)
        .trimEnd()
        .replace(/; Enter starts it$/, ''),
    );
  return stripControl(`${lines.join('\n')}\n`);
}
