import type { PlainProps } from '../cli/command.ts';
import { readSavedNames } from '../files/read-saved-names.ts';
import { loadRegistry } from '../load/load-registry.ts';
import { toCapabilities } from '../manifest/listed.ts';
import { loadManifest } from '../manifest/load-manifest.ts';
import { stripControl } from '../terminal/strip-control.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { type CompletionFacts, completeWords } from './complete-words.ts';

/**
 * `capix completion <shell>`: its script. With `words`, the candidates for the last of the words on stdin: a line each,
 * with what they are behind a tab.
 */
export default async function completionCommand({
  args: [shell],
  terminal,
  help,
}: PlainProps<object, readonly [keyof typeof scripts | 'words']>): Promise<void> {
  if (shell !== 'words') return terminal.writeOut(`${scripts[shell].trim()}\n`);
  // bash makes three words of `--config=file`.
  const typed = (await terminal.readIn()).replace(/\n$/, '').replaceAll(/^(--[\w-]+)\n=\n(?=.*\n)/gm, '$1=');
  const words = typed.split('\n');
  const candidates = completeWords(words, { program: help.program(), ...(await loadFacts(words, terminal)) });
  const lines = candidates.map(([word, summary]) => stripControl(`${word}\t${summary.replaceAll(/\s+/g, ' ')}`));
  terminal.writeOut(lines.map((line) => `${line}\n`).join(''));
}

async function loadFacts(words: readonly string[], terminal: Terminal): Promise<Omit<CompletionFacts, 'program'>> {
  const none = { capabilities: [], saved: [] };
  // Loading takes longer than anything else.
  if (!words.slice(0, -1).some((word) => word === 'call' || word === 'show')) return none;
  const [, config] = /^--config[=\n](.+)$/m.exec(words.join('\n')) ?? [];
  try {
    const loaded = await loadRegistry({ config, envFile: [], workingDirectory: terminal.workingDirectory() });
    const manifest = await loadManifest(loaded);
    return { capabilities: toCapabilities(manifest), saved: await readSavedNames(loaded.project.root) };
  } catch {
    // Whoever presses Tab in a shell does not want to read there what is wrong with the code.
    return none;
  }
}

// A shell reads its script at its start. The script asks the tool for each completion, so that it knows the project in
// whose folder it is. The words are written to stdin, a line each: as arguments the tool would take them for its own
// options.
const scripts = {
  bash: `
_capix() {
  local IFS=$'\\n'
  COMPREPLY=($(printf '%s\\n' "\${COMP_WORDS[@]:1:COMP_CWORD}" | capix completion words 2>/dev/null | cut -f1))
}
complete -o default -F _capix capix
`,
  zsh: `
#compdef capix
_capix() {
  local -a candidates
  local line
  for line in "\${(@f)$(printf '%s\\n' "\${(@)words[2,CURRENT]}" | capix completion words 2>/dev/null)}"; do
    [[ -n $line ]] && candidates+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done
  if (( $#candidates )); then _describe capix candidates; else _files; fi
}
compdef _capix capix
`,
  fish: `
function __capix_complete
    set -l words (commandline -opc) (commandline -ct)
    printf '%s\\n' $words[2..-1] | capix completion words 2>/dev/null
end
complete -c capix -f -a '(__capix_complete)'
`,
} as const;
