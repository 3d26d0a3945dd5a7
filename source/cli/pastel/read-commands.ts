import { type CommandOutline, commands } from 'capix:commands';

/** A command as Pastel keeps it; a group has commands of its own. */
interface PastelCommand extends CommandOutline {
  readonly name: string;
  readonly commands?: Map<string, PastelCommand>;
}

/**
 * Stands in for the function of Pastel that reads the folder `commands/` and imports its files one after another, at
 * every start. Ours takes them from a table that the build makes of the same folder, by the same rules: the path is the
 * command, `index` describes its folder.
 */
export default async function readCommands(): Promise<Map<string, PastelCommand>> {
  const root = new Map<string, PastelCommand>();
  for (const [path, outline] of Object.entries(commands)) {
    const folders = path.split('/');
    const name = folders.pop() ?? path;
    const siblings = folders.reduce(toGroup, root);
    siblings.set(name, { ...siblings.get(name), name, ...outline });
  }
  return moveIndexes(root);
}

function toGroup(commands: Map<string, PastelCommand>, folder: string): Map<string, PastelCommand> {
  const group = commands.get(folder) ?? { name: folder };
  const children = group.commands ?? new Map<string, PastelCommand>();
  commands.set(folder, { ...group, commands: children });
  return children;
}

/** The command of a folder says what its `index` says. That of the root stays, for Pastel. */
function moveIndexes(commands: Map<string, PastelCommand>): Map<string, PastelCommand> {
  for (const [name, { commands: children, ...command }] of commands) {
    if (!children) continue;
    const index = children.get('index');
    children.delete('index');
    commands.set(name, { ...command, ...index, name, commands: moveIndexes(children) });
  }
  return commands;
}
