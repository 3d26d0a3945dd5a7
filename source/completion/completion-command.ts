import type { CommandNode, PlainProps } from '../cli/command.ts';
import { type FormField, toFieldFlags } from '../document/form-field.ts';
import { toRootField } from '../document/root-field.ts';
import { readSavedNames } from '../files/read-saved-names.ts';
import { readKnownManifest } from '../manifest/known-manifest.ts';
import { type Listed, toCapabilities } from '../manifest/manifest.ts';
import { stripControl } from '../terminal/strip-control.ts';
import type { Terminal } from '../terminal/terminal.ts';

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
  const words = (await terminal.readIn()).replace(/\n$/, '').split('\n');
  const candidates = completeWords(words, {
    program: help.program(),
    ...(await readFacts(words, terminal)),
  });
  const lines = candidates.map(([word, summary]) =>
    stripControl(`${word}\t${summary.replaceAll(/\s+/g, ' ')}`),
  );
  terminal.writeOut(lines.map((line) => `${line}\n`).join(''));
}

/** Runs no code: whoever presses Tab has not chosen to run what is in the folder. */
async function readFacts(
  words: readonly string[],
  terminal: Terminal,
): Promise<Omit<CompletionFacts, 'program'>> {
  const none = { capabilities: [], saved: [] };
  if (!words.slice(0, -1).some((word) => word === 'call' || word === 'show')) return none;
  const config = /^--config[=\n](.+)$/m.exec(words.join('\n'))?.[1];
  const known = await readKnownManifest(terminal.workingDirectory(), config);
  if (known === undefined) return none;
  return {
    capabilities: toCapabilities(known),
    saved: (await readSavedNames(known.root)).filter(isOneLine),
  };
}

/** A name with control characters cannot be typed, and would be several candidates. */
function isOneLine(name: string): boolean {
  return name === stripControl(name) && !/[\n\t]/.test(name);
}

// A shell reads its script at its start. The script asks the tool for each completion, so that it knows the project in
// whose folder it is. The words are written to stdin, a line each: as arguments the tool would take them for its own
// options.
const scripts = {
  // bash cuts words at `=`, `:` and `@`, and puts what is found in place of its second argument alone.
  bash: `
_capix() {
  local rest=\${COMP_LINE:0:COMP_POINT} words=() word candidate behind i
  for ((i = 0; i <= COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    if ((i == 0)) || [[ $rest == [[:space:]]* ]]; then words+=(''); fi
    rest=\${rest#"\${rest%%[![:space:]]*}"}
    rest=\${rest#"$word"}
    words[\${#words[@]} - 1]+=\${word//[\\\\\\'\\"]/}
  done
  behind=\${words[\${#words[@]} - 1]%"\${2//\\\\/}"}
  COMPREPLY=()
  while IFS= read -r candidate; do
    candidate=\${candidate#"$behind"}
    if [[ $word != [\\'\\"]* ]]; then candidate=$(printf '%q' "$candidate"); fi
    COMPREPLY+=("$candidate")
  done < <(printf '%s\\n' "\${words[@]:1}" | capix completion words 2>/dev/null | cut -f1)
}
complete -o default -F _capix capix
`,
  zsh: `
#compdef capix
_capix() {
  local -a candidates
  local line
  for line in "\${(@f)$(printf '%s\\n' "\${(@Q)words[2,CURRENT]}" | capix completion words 2>/dev/null)}"; do
    [[ -n $line ]] && candidates+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done
  if (( $#candidates )); then _describe capix candidates; else _files; fi
}
(( $+functions[compdef] )) || { autoload -Uz compinit; compinit -i }
compdef _capix capix
`,
  fish: `
function __capix_complete
    set -l words (commandline -opc) (commandline -ct)
    set -l found (printf '%s\\n' $words[2..-1] | capix completion words 2>/dev/null)
    if set -q found[1]
        printf '%s\\n' $found
    else
        __fish_complete_path (commandline -ct)
    end
end
complete -c capix -f -a '(__capix_complete)'
`,
} as const;

/** A word that may stand next, and what it is. */
export type Candidate = readonly [word: string, summary: string];

interface CompletionFacts {
  readonly program: CommandNode;
  readonly capabilities: readonly Listed[];
  readonly saved: readonly string[];
}

/** The words that may stand where the last one of `words`, which may be empty, is typed behind `capix`. */
export function completeWords(
  words: readonly string[],
  facts: CompletionFacts,
): readonly Candidate[] {
  const before = words.slice(0, -1);
  const last = words.at(-1) ?? '';
  const assigned = /^(?<option>--[\w.-]+)=/.exec(last)?.groups;
  const option = assigned?.['option'] ?? '';
  const candidates =
    assigned === undefined
      ? findCandidates(before, last, facts)
      : findValues(readWords([...before, option], facts))?.map(
          ([word, summary]) => [`${option}=${word}`, summary] as const,
        );
  return (candidates ?? []).filter(([word]) => word.startsWith(last));
}

/** The values of the option or the field that the last word names; undefined where it names none that has one. */
function findValues({ option, flag }: ReadWords): readonly Candidate[] | undefined {
  if (option !== undefined)
    return (option.argChoices ?? []).map((word) => [word, option.description]);
  return flag !== undefined && flag.field.kind.kind !== 'toggle' ? toValues(flag.field) : undefined;
}

function findCandidates(
  before: readonly string[],
  typed: string,
  facts: CompletionFacts,
): readonly Candidate[] {
  const read = readWords(before, facts);
  const { command, operands, flags } = read;
  const values = findValues(read);
  if (values !== undefined) return values;
  if (typed.startsWith('-'))
    return [
      ...flags.map(({ flag, field: { type, note }, isRequired }): Candidate => {
        const explanation = [isRequired ? `${type}, required` : type, note];
        return [flag, explanation.filter(Boolean).join(', ')];
      }),
      ...command.options.map(({ long, description }): Candidate => [long ?? '', description]),
    ];
  return operands.length > 0 ? [] : toOperands(command, facts);
}

/** The words that may follow the name of a command. */
function toOperands(
  command: CommandNode,
  { capabilities, saved }: CompletionFacts,
): readonly Candidate[] {
  if (command.commands.length > 0)
    return command.commands.map((inner) => [inner.name(), inner.summary()]);
  const name = command.name();
  if (name !== 'call' && name !== 'show') return [];
  const keys = capabilities.map(
    ({ key, facts: { description }, method, path }): Candidate => [
      key,
      description ?? `${method} ${path}`,
    ],
  );
  if (name === 'show') return keys;
  return [...keys, ...saved.map((each): Candidate => [`@${each}`, 'saved call'])];
}

type ReadWords = ReturnType<typeof readWords>;

/**
 * The innermost command that the words name; its operands, which are neither an option nor the value of one; the flags
 * of the capability that it calls; and the option or the flag that the last word is.
 */
function readWords(words: readonly string[], { program, capabilities }: CompletionFacts) {
  let command = program;
  const findOption = (word: string) =>
    command.options.find((each) => each.required && [each.short, each.long].includes(word));
  const operands: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    if (findOption(word) !== undefined) at++;
    if (word.startsWith('-')) continue;
    const inner = command.commands.find((each) => each.name() === word || each.alias() === word);
    if (inner === undefined || operands.length > 0) operands.push(word);
    else command = inner;
  }
  const last = words.at(-1) ?? '';
  const called = command.name() === 'call' ? operands[0] : undefined;
  const input = capabilities.find(({ key }) => key === called)?.declaredInput();
  const flags = input === undefined ? [] : toFieldFlags(toRootField(input));
  const flag = flags.find((each) => each.flag === last);
  return { command, operands, flags, flag, option: findOption(last) };
}

/** The values that a field can have, where they can be counted. */
function toValues({ kind, type }: FormField): readonly Candidate[] {
  if (kind.kind === 'list') return toValues(kind.item());
  if (kind.kind === 'toggle') return [true, false].map((value) => [`${value}`, type]);
  if (kind.kind !== 'picker') return [];
  return kind.values.map((value) => [
    typeof value === 'string' ? value : JSON.stringify(value),
    type,
  ]);
}
