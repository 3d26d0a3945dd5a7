/** Whether a field or header of this name holds something that no answer, log or screen should show. */
export function looksSecret(name: string): boolean {
  return /passw|passphrase|token|secret|authori[sz]ation|cookie|credential|api[-_]?key|private[-_]?key/i.test(name);
}
