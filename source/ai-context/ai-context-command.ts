import type { PlainProps } from '../cli/command.ts';
import { toFreshCheck } from '../files/expect-fresh.ts';
import { writeOutput } from '../files/write-output.ts';
import { loadRegistry } from '../load/load-registry.ts';
import { aiContextDocument, loadAiContextText } from './load-ai-context-text.ts';

export interface AiContextCommandOptions {
  readonly config?: string | undefined;
  readonly envFile: readonly string[];
  readonly output?: string | undefined;
  readonly force: boolean;
  readonly check: boolean;
  readonly json: boolean;
}

/** `capix ai-context`: what an AI assistant should know of the project, as JSON, to stdout or a file. */
export default async function aiContextCommand({
  options,
  terminal,
}: PlainProps<AiContextCommandOptions>): Promise<void> {
  const loaded = await loadRegistry({ ...options, workingDirectory: terminal.workingDirectory() });
  const text = await loadAiContextText(loaded);
  const { output, force, json } = options;
  await writeOutput({
    terminal,
    output,
    text,
    root: loaded.project.root,
    document: aiContextDocument,
    force,
    check: toFreshCheck('.capix-context.json', 'ai-context', options),
    asJson: json,
  });
}
