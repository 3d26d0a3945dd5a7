import { realpathSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import picomatch from 'picomatch';
import { WebSocket } from 'undici';
import type { OpenDevJson } from './open-dev.ts';

export interface Script {
  readonly url: string;
  readonly scriptId: string;
  readonly sourceMapURL: string;
}

interface Paused {
  readonly callFrames: readonly {
    readonly location: { readonly scriptId: string; readonly lineNumber: number };
  }[];
}

export type OpenInspector = Awaited<ReturnType<typeof openInspector>>;

/** A debugger that is connected to the newest process of the server. */
export async function openInspector(dev: OpenDevJson) {
  const { line = '' } = await dev.waitFor('output', (document) =>
    /Debugger listening on/.test(document.line ?? ''),
  );
  const socket = new WebSocket(line.replace('Debugger listening on ', ''));
  await new Promise<void>((resolve) => {
    socket.addEventListener('open', () => resolve());
  });
  const scripts: Script[] = [];
  const pauses: Paused[] = [];
  const answers = new Map<number, (result: unknown) => void>();
  socket.addEventListener('message', ({ data }) => {
    const { id, method, params, result } = JSON.parse(String(data)) as {
      id?: number;
      method?: string;
      params: unknown;
      result: unknown;
    };
    if (id !== undefined) answers.get(id)?.(result);
    if (method === 'Debugger.scriptParsed') scripts.push(params as Script);
    if (method === 'Debugger.paused') pauses.push(params as Paused);
  });
  let lastId = 0;
  const post = (method: string, params: object = {}): Promise<unknown> =>
    new Promise((resolve) => {
      lastId += 1;
      answers.set(lastId, resolve);
      socket.send(JSON.stringify({ id: lastId, method, params }));
    });
  await post('Runtime.enable');
  await post('Debugger.enable');
  return { post, scripts, pauses, close: () => socket.close() };
}

/** The default of js-debug, the debugger of VS Code, for `resolveSourceMapLocations`: whose source maps it believes. */
export const defaultMapLocations = ['**', '!**/node_modules/**'] as const;

/** Whether globs of js-debug, of which those that begin with `!` leave files out, take a script. */
export function takesScript({ url }: Pick<Script, 'url'>, globs: readonly string[]): boolean {
  if (!url.startsWith('file:')) return false;
  const path = fileURLToPath(url).replaceAll('\\', '/');
  const isLike = (patterns: readonly string[]) =>
    patterns.some((glob) => picomatch.isMatch(path, glob, { dot: true }));
  const out = globs.flatMap((glob) => (glob.startsWith('!') ? glob.slice(1) : []));
  return isLike(globs.filter((glob) => !glob.startsWith('!'))) && !isLike(out);
}

/** The script that a file was compiled to, by its absolute path, and the line of it, from 0, that a line of the source, from 1, has become. */
export function findPlace(
  scripts: readonly Script[],
  file: string,
  sourceLine: number,
  mapLocations: readonly string[] = defaultMapLocations,
) {
  for (const script of scripts.filter((each) => takesScript(each, mapLocations)).toReversed()) {
    const [, payload] = /^data:application\/json;base64,(.*)$/.exec(script.sourceMapURL) ?? [];
    if (payload === undefined) continue;
    const map = new SourceMap(JSON.parse(Buffer.from(payload, 'base64').toString('utf8')));
    // Both open the source by its address.
    if (!map.payload.sources.includes(pathToFileURL(realpathSync(file)).href)) continue;
    for (let line = 0; line < 100; line++) {
      const entry = map.findEntry(line, 5) as { originalLine?: number };
      if (entry.originalLine === sourceLine - 1) return { script, line };
    }
  }
  throw new Error(
    `None of the ${scripts.length} scripts that the debugger knows has line ${sourceLine} of ${file}.`,
  );
}
