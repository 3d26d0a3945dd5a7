/** The names of other tools for what a command of ours does; the value is ours. */
const habits: Readonly<Record<string, string>> = {
  create: 'new',
  init: 'new',
  routes: 'list',
  run: 'dev',
  serve: 'dev',
};

/** Gives what to do in place of a command that a user of other tools expects; undefined for any other word. `names`: the commands that there are. */
export function findHabitHint(word: string, names: readonly string[]): string | undefined {
  const ours = Object.hasOwn(habits, word) ? habits[word] : undefined;
  if (ours !== undefined && names.includes(ours)) return `Did you mean \`${ours}\`?`;
  return word === 'build' && names.includes('dev')
    ? 'capix builds nothing: `npm run build` of a project compiles it.'
    : undefined;
}
