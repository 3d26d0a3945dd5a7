import type { PlainCommand } from '../cli/command.ts';
import { type OwnDocument, writeOutput } from '../files/write-output.ts';
import type { DocumentValues } from '../flags/document-flags.ts';
import { loadRegistry } from '../load/load-registry.ts';
import type { LoadedRegistry } from '../manifest/loaded-registry.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** A command that writes one document of the project, to stdout or to the file of `--output`. */
export function documentCommand<Values extends DocumentValues>(
  document: OwnDocument,
  toText: (loaded: LoadedRegistry, options: Values, terminal: Terminal) => string | Promise<string>,
): PlainCommand<Values> {
  return async ({ options, terminal }) => {
    const loaded = await loadRegistry(options, terminal);
    const text = await toText(loaded, options, terminal);
    await writeOutput({ ...options, terminal, text, root: loaded.project.root, document });
  };
}

/** Whether the document goes to stdout as JSON, where a command has one of its own for that. */
export function printsJson({ json, output }: DocumentValues): boolean {
  return json && output === undefined;
}
