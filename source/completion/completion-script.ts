/** The shells that can be taught to complete the words of `capix`. */
export type CompletedShell = 'bash' | 'zsh' | 'fish';

/** The script that a shell reads at its start. It asks the tool for each completion, so that it knows the project in whose folder it is. */
export function toCompletionScript(shell: CompletedShell): string {
  return `${scripts[shell].trim()}\n`;
}

// The words are written to stdin, a line each: as arguments the tool would take them for its own options.
const scripts: Readonly<Record<CompletedShell, string>> = {
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
};
