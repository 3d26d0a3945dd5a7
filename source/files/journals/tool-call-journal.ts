import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { ToolCall } from '../../../server-runtime/server/log/tool-call.ts';
import { findCacheFile } from '../find-cache-file.ts';
import { writeFileWhole } from '../write-files.ts';

/** The last calls of the project's tools by agents, a JSON document a line, whichever process has answered them. */
const FILE = 'tool-calls.jsonl';

/** The calls that a reader gets. */
const MAX_READ = 500;
/** A file of more lines is cut to those that are read. */
const MAX_KEPT = 2_000;

/** Notes the calls that a process answers. Nothing of an input or an answer is written but its size. */
export interface ToolCallJournal {
  readonly take: (call: ToolCall) => void;
}

/** A folder that cannot be written keeps nobody from working. `root`: absolute path of the project. */
export function createToolCallJournal(root: string): ToolCallJournal {
  let written: Promise<void> = Promise.resolve();
  let count = MAX_KEPT; // Nobody knows yet how long the file is.
  const write = async (text: string): Promise<void> => {
    const file = await findCacheFile(root, FILE);
    if (file === undefined) return;
    await mkdir(dirname(file), { recursive: true });
    await appendFile(file, text);
    count += 1;
    if (count <= MAX_KEPT) return;
    const lines = await readLines(file);
    count = lines.length;
    if (count <= MAX_KEPT) return;
    count = MAX_READ;
    await writeFileWhole(file, lines.slice(-MAX_READ).join(''));
  };
  return {
    take: (call) => {
      written = written.then(() => write(`${JSON.stringify(call)}\n`)).catch(() => {});
    },
  };
}

/** The last calls, the newest first. */
export async function readToolCalls(root: string): Promise<readonly ToolCall[]> {
  const file = await findCacheFile(root, FILE);
  const lines = file === undefined ? [] : await readLines(file).catch(() => []);
  return lines
    .slice(-MAX_READ)
    .flatMap((line) => parseCall(line))
    .toReversed();
}

async function readLines(file: string): Promise<readonly string[]> {
  return (await readFile(file, 'utf8')).split(/(?<=\n)/);
}

/** A line that is being written, or that another version wrote, is passed over. */
function parseCall(line: string): readonly ToolCall[] {
  try {
    const call = JSON.parse(line) as Partial<ToolCall>;
    const isCall =
      typeof call.tool === 'string' && typeof call.at === 'number' && typeof call.outputTokens === 'number';
    return isCall ? [call as ToolCall] : [];
  } catch {
    return [];
  }
}
