import { asksForJson } from '../terminal/asks-for-json.ts';

/** Commands that run the project's code in this process, and whose stdout is read by programs. */
const loading: ReadonlySet<string> = new Set([
  'ai-context',
  'call',
  'check',
  'client',
  'diff',
  'docs',
  'list',
  'lock',
  'openapi',
  'show',
  'sync-ai-context',
]);
/** Those that write a document, or data, without being asked for JSON. */
const writing: ReadonlySet<string> = new Set(['ai-context', 'call', 'client', 'docs', 'openapi']);

/** What stdout has to be kept for: `data` is worth another process, `text` is not. */
export function toStdoutNeed(argv: readonly string[]): 'data' | 'text' | undefined {
  const [, , command = ''] = argv;
  if (!loading.has(command) && !(command === 'mcp' && argv.includes('--list'))) return undefined;
  if (argv.includes('--help')) return 'text';
  return writing.has(command) || asksForJson(argv) ? 'data' : 'text';
}
