import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expectVersion } from '../../../server-runtime/http/sockets/ws-version.ts';
import { readWebSockets } from '../../document/operations/read-web-sockets.ts';
import { type Problem, toMistake, toProjectProblem } from '../../manifest/check-rules.ts';
import { hasRoute, type Listed, type Manifest } from '../../manifest/manifest.ts';

/** Finds what keeps the `webSocketTransport` of a project from starting, and routes that its path hides. */
export function findWebSocketMistakes(
  { document, project: { root } }: Manifest,
  capabilities: readonly Listed[],
): readonly Problem[] {
  const paths = readWebSockets(document).map(({ path }) => path);
  if (paths.length === 0) return [];
  return [
    ...findMissingPackage(root),
    ...paths.filter((path, at) => paths.indexOf(path) !== at).map(toSecond),
    ...capabilities.filter((each) => isHidden(each, paths)).map(toHidden),
  ];
}

function findMissingPackage(root: string): readonly Problem[] {
  const hint = 'Install it: `npm install ws`.';
  try {
    const load = createRequire(join(root, 'package.json'));
    const { version } = load('ws/package.json') as { readonly version: string };
    expectVersion(version);
    return [];
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const missing = 'The package `ws` is not installed, and `webSocketTransport` needs it.';
    return [
      toProjectProblem('missing-ws', {
        message: code === 'MODULE_NOT_FOUND' ? missing : `${message}.`,
        hint,
      }),
    ];
  }
}

function toSecond(path: string): Problem {
  return toProjectProblem('websocket-path', {
    message: `Two \`webSocketTransport\` have the path \`${path}\`: the second gets no connection.`,
    hint: 'Give one of them another: `webSocketTransport({ path })`.',
  });
}

function isHidden(capability: Listed, paths: readonly string[]): boolean {
  const routes = [capability, ...capability.otherRoutes];
  return (
    hasRoute(capability) &&
    routes.some(({ method, path }) => method === 'GET' && paths.includes(path))
  );
}

function toHidden(capability: Listed): Problem {
  return toMistake('websocket-path', capability, {
    message: `\`${capability.key}\` is at the path of the WebSocket, which answers its requests with 426.`,
    hint: 'Give one of them another: `webSocketTransport({ path })`.',
  });
}
