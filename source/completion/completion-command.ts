import type { PlainProps } from '../cli/command.ts';
import { readSavedNames } from '../files/read-saved-names.ts';
import { loadRegistry } from '../load/load-registry.ts';
import { loadManifest } from '../manifest/load-manifest.ts';
import type { ManifestCapability } from '../manifest/manifest.ts';
import { stripControl } from '../terminal/control/strip-control.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { type Candidate, completeWords } from './complete-words.ts';
import { type CompletedShell, toCompletionScript } from './completion-script.ts';

/** `capix completion <shell>`: its script; with `words` the candidates for the last of the words on stdin, a line each, with what they are behind a tab. */
export default async function completionCommand({
  args: [shell],
  terminal,
  help,
}: PlainProps<object, readonly [CompletedShell | 'words']>): Promise<void> {
  if (shell !== 'words') return terminal.writeOut(toCompletionScript(shell));
  const words = (await terminal.readIn()).replace(/\n$/, '').split('\n');
  const project = needsProject(words) ? await loadProject(words, terminal) : noProject;
  const candidates = completeWords(words, { program: help.program(), ...project });
  terminal.writeOut(candidates.map(toLine).join(''));
}

interface ProjectFacts {
  readonly capabilities: readonly ManifestCapability[];
  readonly saved: readonly string[];
}

const noProject: ProjectFacts = { capabilities: [], saved: [] };

/** Loading takes longer than anything else. */
function needsProject(words: readonly string[]): boolean {
  return words.slice(0, -1).some((word) => word === 'call' || word === 'show');
}

async function loadProject(words: readonly string[], terminal: Terminal): Promise<ProjectFacts> {
  const at = words.findIndex((word) => word === '--config' || word.startsWith('--config='));
  const config = words[at]?.includes('=') ? words[at].slice('--config='.length) : at === -1 ? undefined : words[at + 1];
  try {
    const loaded = await loadRegistry({ config, envFile: [], workingDirectory: terminal.workingDirectory() });
    const [{ capabilities }, saved] = await Promise.all([loadManifest(loaded), readSavedNames(loaded.project.root)]);
    return { capabilities, saved };
  } catch {
    // Whoever presses Tab in a shell does not want to read there what is wrong with the code.
    return noProject;
  }
}

function toLine({ word, told }: Candidate): string {
  return `${stripControl(`${word}\t${told.replaceAll(/\s+/g, ' ')}`)}\n`;
}
