import { commands } from 'capix:commands';

/**
 * Stands in for the function of Pastel that reads the folder `commands/` and imports its files one after another, at
 * every start. The build has done so.
 */
export default async function readCommands(): Promise<typeof commands> {
  return commands;
}
